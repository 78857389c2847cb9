import type { Reply } from '../core/http/reply.ts'

/** The names that scenarios and the journal look up as they are written here. */
const usual = new Map(
  ['Content-Type', 'Content-Length', 'Date', 'Retry-After', 'Vary', 'X-RateLimit-Limit', 'X-RateLimit-Remaining']
    .concat('X-RateLimit-Reset', 'X-Greenhouse')
    .map((name) => [name.toLowerCase(), name]),
)

/** Joins headers of the same name, whatever the case of their letters. */
export function joinHeaders(raw: readonly string[]): Record<string, string> {
  const names = new Map(usual)
  const headers: Record<string, string> = {}
  for (let index = 0; index < raw.length; index += 2) {
    const lower = raw[index]!.toLowerCase()
    const name = names.get(lower) ?? raw[index]!
    names.set(lower, name)
    headers[name] = name in headers ? `${headers[name]}, ${raw[index + 1]}` : raw[index + 1]!
  }
  return headers
}

/** Returns names and values in turn: those that nobody changed as they came. */
export function toRawHeaders(
  raw: readonly string[],
  headers: Reply['headers'],
  repeated: readonly string[] = [],
): string[] {
  const before = joinHeaders(raw)
  const left = new Map(Object.entries(headers).map((header) => [header[0].toLowerCase(), header]))
  const sent: string[] = []
  for (let index = 0; index < raw.length; index += 2) {
    const lower = raw[index]!.toLowerCase()
    const header = left.get(lower)
    if (!header) continue
    if (before[header[0]] === header[1]) sent.push(raw[index]!, raw[index + 1]!)
    else {
      sent.push(...header)
      left.delete(lower)
    }
  }
  const known = new Set(Object.keys(before).map((name) => name.toLowerCase()))
  for (const [lower, header] of left) if (!known.has(lower)) sent.push(...header)
  for (const name of repeated) {
    const header = Object.entries(headers).find(([other]) => other.toLowerCase() === name.toLowerCase())
    if (header) sent.push(...header)
  }
  return sent
}
