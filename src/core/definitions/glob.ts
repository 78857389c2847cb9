/** Makes the question whether a name is meant by an id or glob, or by one of several: `plants.*`. Without any, all are. */
export function globFilter(patterns: string | readonly string[] | undefined): (name: string) => boolean {
  if (patterns === undefined) return () => true
  const globs = [patterns].flat().map((pattern) => pattern.split('*'))
  return (name) => globs.some((parts) => fitsParts(name, parts))
}

/** Whether a text begins with the first part, ends with the last and has the others in between, in time that grows with their number only. */
export function fitsParts(text: string, parts: readonly string[]): boolean {
  const first = parts[0]!
  if (parts.length === 1) return text === first
  const last = parts.at(-1)!
  const end = text.length - last.length
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= end
}
