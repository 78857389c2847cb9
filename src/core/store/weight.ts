/** The bytes of an object or array without its members, and of each member. */
const objectWeight = 24
const memberWeight = 8

/** Texts up to this length count as two bytes a character, without a scan. */
const shortText = 64

export function weightOf(value: unknown): number {
  if (typeof value === 'string') return textWeight(value)
  if (typeof value !== 'object' || value === null) return 0
  let weight = objectWeight
  for (const name in value) weight += memberWeight + weightOf((value as Record<string, unknown>)[name])
  return weight
}

/** Returns the memory of a string in bytes: one per character if all are Latin-1, otherwise two. */
export function textWeight(text: string): number {
  return objectWeight + (text.length <= shortText || /[^\0-\xff]/.test(text) ? 2 * text.length : text.length)
}
