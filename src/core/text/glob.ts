/** Returns a predicate for names that match an id or a glob such as `plants.*`, or one of several. Without patterns, every name matches. */
export function globFilter(patterns: string | readonly string[] | undefined): (name: string) => boolean {
  if (patterns === undefined) return () => true
  const globs = [patterns].flat().map((pattern) => pattern.split(/\*+/))
  return (name) => globs.some((parts) => fitsChildren(name, parts))
}

export function fitsChildren(text: string, parts: readonly string[]): boolean {
  const first = parts[0]!
  if (parts.length === 1) return text === first
  const last = parts.at(-1)!
  const end = text.length - last.length
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  for (let index = 1; index < parts.length - 1; index++) {
    const found = text.indexOf(parts[index]!, at)
    if (found < 0) return false
    at = found + parts[index]!.length
  }
  return at <= end
}
