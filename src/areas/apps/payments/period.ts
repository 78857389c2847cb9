import { monthOf, startOfMonth } from '../../../core/time/time-text.ts'

/** A period of a subscription, in milliseconds since 1970. It includes `start` and excludes `end`. */
export interface Period {
  readonly start: number
  readonly end: number
}

export type PeriodKind = '30d' | 'month'

const day = 86_400_000

/** Returns the period that contains `at`. Periods follow each other without gaps, before and after `anchor`. */
export function periodAt(kind: PeriodKind, anchor: number, at: number): Period {
  const startOf =
    kind === '30d' ? (count: number) => anchor + count * 30 * day : (count: number) => addMonths(anchor, count)
  let count = kind === '30d' ? Math.floor((at - anchor) / (30 * day)) : monthOf(at) - monthOf(anchor)
  if (startOf(count) > at) count--
  return { start: startOf(count), end: startOf(count + 1) }
}

function addMonths(anchor: number, count: number): number {
  const month = monthOf(anchor) + count
  const first = startOfMonth(month)
  const days = (startOfMonth(month + 1) - first) / day
  const into = anchor - startOfMonth(monthOf(anchor))
  return first + Math.min(Math.floor(into / day), days - 1) * day + (into % day)
}
