import { toIso } from '../../../core/time/time-text.ts'
import type { countUsage } from './count-usage.ts'
import type { Range } from './range.ts'

export function presentUsage(
  { from, to, interval, starts }: Range,
  { totals, buckets }: ReturnType<typeof countUsage>,
) {
  return {
    from: toIso(from),
    to: toIso(to),
    interval,
    totals,
    buckets: buckets.map((figures, index) => ({ start: toIso(starts[index]!), ...figures })),
  }
}
