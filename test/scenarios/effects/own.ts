/** A scenario of a test's own, under the name `own`. */
export function own(effects: Record<string, unknown>): Record<string, unknown> {
  return { own: { title: 'T', description: 'D', covers: 'C', ...effects } }
}
