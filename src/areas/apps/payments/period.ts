import { monthOf, startOfMonth } from '../../../core/time/calendar.ts'

/** A period of a subscription, in milliseconds since 1970. `start` belongs to it, `end` does not. */
export interface Period {
  readonly start: number
  readonly end: number
}

export type PeriodKind = '30d' | 'month'

const day = 86_400_000

/** The period that `at` is in, where periods follow each other from `anchor` on, and back. */
export function periodAt(kind: PeriodKind, anchor: number, at: number): Period {
  const startOf =
    kind === '30d' ? (count: number) => anchor + count * 30 * day : (count: number) => addMonths(anchor, count)
  let count = kind === '30d' ? Math.floor((at - anchor) / (30 * day)) : monthOf(at) - monthOf(anchor)
  if (startOf(count) > at) count--
  return { start: startOf(count), end: startOf(count + 1) }
}

/** The same day and time a number of months on, or the last day of a month that is shorter. */
function addMonths(anchor: number, count: number): number {
  const month = monthOf(anchor) + count
  const first = startOfMonth(month)
  const days = (startOfMonth(month + 1) - first) / day
  const into = anchor - startOfMonth(monthOf(anchor))
  return first + Math.min(Math.floor(into / day), days - 1) * day + (into % day)
}
