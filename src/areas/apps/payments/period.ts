import { toIso, toTimestamp } from '../../../core/clock.ts'

/** A period of a subscription, in milliseconds since 1970. `start` belongs to it, `end` does not. */
export interface Period {
  readonly start: number
  readonly end: number
}

export type PeriodKind = '30d' | 'month'

const day = 86_400_000

/** The period that `at` is in, where periods follow each other from `anchor` on, and back. */
export function periodAt(kind: PeriodKind, anchor: number, at: number): Period {
  const startOf = kind === '30d' ? (count: number) => anchor + count * 30 * day : (count: number) => addMonths(anchor, count)
  let count = kind === '30d' ? Math.floor((at - anchor) / (30 * day)) : monthOf(at) - monthOf(anchor)
  if (startOf(count) > at) count--
  return { start: startOf(count), end: startOf(count + 1) }
}

/** The same day and time so many months on, or the last day of a month that is shorter. */
function addMonths(anchor: number, count: number): number {
  const month = monthOf(anchor) + count
  const first = firstOf(month)
  const days = (firstOf(month + 1) - first) / day
  const into = anchor - firstOf(monthOf(anchor))
  return first + Math.min(Math.floor(into / day), days - 1) * day + (into % day)
}

/** Months since the year 0. */
function monthOf(at: number): number {
  const [, year, month] = /^(.+)-(\d\d)-\d\dT/.exec(toIso(at))!
  return Number(year) * 12 + Number(month) - 1
}

function firstOf(month: number): number {
  const year = Math.floor(month / 12)
  const sign = year < 0 ? '-' : '+'
  return toTimestamp(`${sign}${String(Math.abs(year)).padStart(6, '0')}-${String((month % 12 + 12) % 12 + 1).padStart(2, '0')}-01T00:00:00Z`)
}
