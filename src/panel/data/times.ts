import { isTime, toTimestamp } from '../../core/time/time-text.ts'

const units: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/**
 * Reads a time that a person types: ISO 8601, `now`, `in 3d` or `1h ago`. Returns milliseconds
 * since 1970; nothing for another text.
 * @param now in milliseconds since 1970
 */
export function readTypedTime(text: string, now: number): number | undefined {
  const typed = text.trim().toLowerCase()
  if (typed === 'now') return now
  const [, later, count, unit = '', ago] =
    /^(in )?(\d{1,9}) ?(s|m|min|h|d)( ago)?$/.exec(typed) ?? []
  const isOne = (later === undefined) !== (ago === undefined)
  if (count !== undefined && isOne)
    return now + Number(count) * (units[unit] ?? 0) * (ago === undefined ? 1 : -1)
  return isTime(text.trim()) ? toTimestamp(text.trim()) : undefined
}
