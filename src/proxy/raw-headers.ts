import type { Received, Reply } from '../core/http/reply.ts'

/** The names that scenarios and the journal look up, as they write them. */
const usual = new Map(
  ['Content-Type', 'Content-Length', 'Content-Encoding', 'Date', 'Retry-After', 'Vary', 'X-Greenhouse']
    .concat('X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset')
    .map((name) => [name.toLowerCase(), name]),
)

/** Returns each name once, whatever the case of its letters, and what writes them again: those that nobody changed as they came. */
export function readHeaders(raw: readonly string[]): { headers: Reply['headers']; toRaw: Received['toRaw'] } {
  const before: Record<string, string> = {}
  const names: string[] = []
  const known = new Map(usual)
  for (let index = 0; index < raw.length; index += 2) {
    const lower = raw[index]!.toLowerCase()
    const name = known.get(lower) ?? raw[index]!
    known.set(lower, name)
    names.push(name)
    before[name] = name in before ? `${before[name]}, ${raw[index + 1]}` : raw[index + 1]!
  }
  const toRaw: Received['toRaw'] = (headers, repeated = []) => {
    const sent = names.flatMap((name, index) => {
      if (headers[name] === before[name]) return [raw[2 * index]!, raw[2 * index + 1]!]
      return headers[name] !== undefined && names.indexOf(name) === index ? [name, headers[name]] : []
    })
    for (const name in headers) if (!(name in before)) sent.push(name, headers[name]!)
    for (const name in headers)
      if (repeated.some((other) => other.toLowerCase() === name.toLowerCase())) sent.push(name, headers[name]!)
    return sent
  }
  return { headers: { ...before }, toRaw }
}
