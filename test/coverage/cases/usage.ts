import { waysOf } from '../refusals.ts'
import { sound, withQuery, type Cases } from '../ways.ts'

const ranges = ['interval=hour', 'interval=day', 'interval=month', 'from=2026-01-01&to=2026-02-01']
const badRanges = [
  'interval=week',
  'interval=',
  'from=yesterday',
  'to=2026-02-28T25:00:00Z',
  'from=2026-03-02&to=2026-03-01',
  'from=1900-01-01&interval=hour',
]

/** The ways of an operation that takes a range. */
function ranged(id: string): Cases {
  return waysOf(id, {
    200: [sound(id), ...ranges.map((query) => withQuery(id, query))],
    400: badRanges.map((query) => withQuery(id, query)),
  })
}

export const usage: Cases = { ...ranged('usage.get'), ...ranged('usage.account') }
