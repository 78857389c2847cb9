import type { Received, Reply } from './reply.ts'

/** The names that scenarios and the journal look up, as they write them. */
const usual = new Map(
  [
    'Content-Type',
    'Content-Length',
    'Content-Encoding',
    'Date',
    'Retry-After',
    'Trailer',
    'Vary',
    'X-Greenhouse',
  ]
    .concat('X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset')
    .flatMap((name) => [
      [name, name],
      [name.toLowerCase(), name],
    ]),
)

/**
 * Returns each name once, whatever the case of its letters, and what writes them again: those that
 * nobody changed as they came.
 */
export function readHeaders(raw: readonly string[]): {
  headers: Reply['headers']
  toRaw: Received['toRaw']
} {
  const before: Record<string, string> = {}
  const names: string[] = []
  for (let index = 0; index < raw.length; index += 2) {
    const written = raw[index]!
    const name =
      usual.get(written) ??
      usual.get(written.toLowerCase()) ??
      names.find(isLike, written) ??
      written
    names.push(name)
    before[name] = name in before ? `${before[name]}, ${raw[index + 1]}` : raw[index + 1]!
  }
  const toRaw: Received['toRaw'] = (headers) => {
    const sent: string[] = []
    for (let index = 0; index < names.length; index++) {
      const name = names[index]!
      if (headers[name] === before[name]) sent.push(raw[2 * index]!, raw[2 * index + 1]!)
      else if (headers[name] !== undefined && names.indexOf(name) === index)
        sent.push(name, headers[name])
    }
    for (const name in headers) if (!(name in before)) sent.push(name, headers[name]!)
    return sent
  }
  return { headers: { ...before }, toRaw }
}

function isLike(this: string, name: string): boolean {
  return name.length === this.length && name.toLowerCase() === this.toLowerCase()
}
