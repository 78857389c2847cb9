/** Returns a predicate that tells whether an id matches one of the patterns. `*` matches any characters. */
export function createGlob(patterns: readonly string[]): (id: string) => boolean {
  const all = patterns.map((pattern) => pattern.split('*'))
  return (id) => all.some((parts) => matches(id, parts))
}

function matches(id: string, parts: readonly string[]): boolean {
  const [first, ...rest] = parts as [string, ...string[]]
  const last = rest.pop()
  if (last === undefined) return id === first
  if (!id.startsWith(first)) return false
  let at = first.length
  for (const part of rest) {
    const found = id.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return id.length - last.length >= at && id.endsWith(last)
}
