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
    .map((name) => [name.toLowerCase(), name]),
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
  const lines: ReceivedHeader[] = []
  const names = new Map<string, string>()
  for (let index = 0; index < raw.length; index += 2) {
    const written = raw[index]!
    const value = raw[index + 1]!
    const lower = written.toLowerCase()
    const earlier = names.get(lower)
    const name = earlier ?? usual.get(lower) ?? written
    lines.push({
      name,
      written,
      value,
      isFirst: earlier === undefined,
    })
    names.set(lower, name)
    before[name] = earlier === undefined ? value : `${before[name]}, ${value}`
  }
  const toRaw: Received['toRaw'] = (headers) => {
    const sent: string[] = []
    for (const { name, written, value, isFirst } of lines) {
      const changed = headers[name]
      if (changed === before[name]) sent.push(written, value)
      else if (isFirst && changed !== undefined) sent.push(name, changed)
    }
    for (const name in headers) if (!Object.hasOwn(before, name)) sent.push(name, headers[name]!)
    return sent
  }
  return {
    headers: { ...before },
    toRaw,
  }
}

interface ReceivedHeader {
  readonly name: string
  readonly written: string
  readonly value: string
  /** False for a further value of the same header. */
  readonly isFirst: boolean
}
