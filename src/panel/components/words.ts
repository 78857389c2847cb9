import { isTime, toMilliseconds, toTimestamp } from '../../core/time/time-text.ts'

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

export function toDurationText(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`
  const index = units.findIndex(([, size]) => ms >= size)
  let rest = ms
  const parts = units.slice(index, index + 2).map(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest %= size
    return count === 0 ? '' : `${count} ${unit}`
  })
  return parts.join(' ').trimEnd()
}

export function toRelativeText(at: number, now: number): string {
  const off = Math.abs(now - at)
  const found = units.find(([, size]) => off >= size)
  if (!found) return 'now'
  const text = `${Math.floor(off / found[1])} ${found[0]}`
  return at > now ? `in ${text}` : `${text} ago`
}

/** @param status of a reply; 0 is a connection that ended without one */
export function toResultText(status: number) {
  if (status === 0) return 'the connection ended without a reply'
  return status
}

export function toBytesText(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`
  if (bytes < 1_048_576) return `${(bytes / 1_024).toFixed(1)} KiB`
  return `${(bytes / 1_048_576).toFixed(1)} MiB`
}

export function toCountText(count: number): string {
  return count.toLocaleString('en').replaceAll(',', '\u202f')
}

export function toSearch(search: string): (text: string) => boolean {
  const words = search.toLowerCase().split(/\s+/)
  return (text) => {
    const lower = text.toLowerCase()
    return words.every((word) => lower.includes(word))
  }
}

export function toPlural(count: number, one: string): string {
  return `${toCountText(count)} ${one}${count === 1 ? '' : 's'}`
}

export function groupBy<T>(
  list: readonly T[],
  keyOf: (one: T) => string,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const one of list) {
    const key = keyOf(one)
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return groups
}

export function pretty(value: unknown): string {
  const marks: string[] = []
  const text = JSON.stringify(
    value,
    (_, member: unknown) => {
      if (typeof member === 'bigint') return `\u0000${marks.push(String(member)) - 1}`
      return member
    },
    2,
  )
  return marks.reduce(
    (whole, number, index) => whole.replace(`"\\u0000${index}"`, number),
    text ?? '',
  )
}

/**
 * Reads a time that a person types: ISO 8601, `now`, `in 3d` or `1h ago`. Returns milliseconds
 * since 1970; nothing for another text.
 * @param now in milliseconds since 1970
 */
export function readTypedTime(text: string, now: number): number | undefined {
  const typed = text.trim().toLowerCase()
  if (typed === 'now') return now
  const [, later, amount, ago] = /^(in )?(\d{1,9} ?(?:s|m|min|h|d))( ago)?$/.exec(typed) ?? []
  const isOne = (later === undefined) !== (ago === undefined)
  if (amount !== undefined && isOne)
    return now + toMilliseconds(amount.replace(/ |in/g, '')) * (ago === undefined ? 1 : -1)
  if (isTime(text.trim())) return toTimestamp(text.trim())
  return undefined
}
