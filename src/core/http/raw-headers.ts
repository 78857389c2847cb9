import { type Received, type Reply, toPairs } from './reply.ts'

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
  const lines = toPairs(raw).map(([written, value]) => {
    const name =
      usual.get(written) ??
      usual.get(written.toLowerCase()) ??
      Object.keys(before).find(matchesName, written) ??
      written
    before[name] = name in before ? `${before[name]}, ${value}` : value
    return { name, written, value }
  })
  const toRaw: Received['toRaw'] = (headers) => {
    const sent: string[] = []
    const others = new Map(Object.entries(headers))
    for (const { name, written, value } of lines) {
      const changed = others.get(name)
      others.delete(name)
      if (headers[name] === before[name]) sent.push(written, value)
      else if (changed !== undefined) sent.push(name, changed)
    }
    return [...sent, ...[...others].flat()]
  }
  return { headers: { ...before }, toRaw }
}

function matchesName(this: string, name: string): boolean {
  return name.length === this.length && name.toLowerCase() === this.toLowerCase()
}
