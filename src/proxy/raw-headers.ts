import type { Reply } from '../core/http/reply.ts'

/** The names that scenarios and the journal look up as they are written here. */
const usual = new Map(
  ['Content-Type', 'Content-Length', 'Date', 'Retry-After', 'Vary', 'X-RateLimit-Limit', 'X-RateLimit-Remaining']
    .concat('X-RateLimit-Reset', 'X-Greenhouse')
    .flatMap((name) => [
      [name, name],
      [name.toLowerCase(), name],
    ]),
)

export interface ReadHeaders {
  /** Each name once, whatever the case of its letters. */
  readonly headers: Reply['headers']
  /** Returns names and values in turn: those that nobody changed as they came. */
  toRaw(headers: Reply['headers'], repeated?: readonly string[]): string[]
}

export function readHeaders(raw: readonly string[]): ReadHeaders {
  const before: Record<string, string> = {}
  const names: string[] = []
  for (let index = 0; index < raw.length; index += 2) {
    const written = raw[index]!
    const name = usual.get(written) ?? usual.get(written.toLowerCase()) ?? firstLike(names, written)
    names.push(name)
    before[name] = name in before ? `${before[name]}, ${raw[index + 1]}` : raw[index + 1]!
  }
  return { headers: { ...before }, toRaw: (headers, repeated) => toRaw(raw, names, before, headers, repeated) }
}

function firstLike(names: readonly string[], written: string): string {
  for (const name of names)
    if (name.length === written.length && name.toLowerCase() === written.toLowerCase()) return name
  return written
}

function toRaw(
  raw: readonly string[],
  names: readonly string[],
  before: Reply['headers'],
  headers: Reply['headers'],
  repeated: readonly string[] = [],
): string[] {
  const sent: string[] = []
  names.forEach((name, index) => {
    const value = headers[name]
    if (value === undefined) return
    if (value === before[name]) sent.push(raw[2 * index]!, raw[2 * index + 1]!)
    else if (names.indexOf(name) === index) sent.push(name, value)
  })
  for (const name in headers) if (!(name in before)) sent.push(name, headers[name]!)
  for (const name of repeated) {
    const header = Object.entries(headers).find(([other]) => other.toLowerCase() === name.toLowerCase())
    if (header) sent.push(...header)
  }
  return sent
}
