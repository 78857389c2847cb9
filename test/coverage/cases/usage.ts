import { waysOf } from '../refusals.ts'
import { sound, withQuery, type Cases } from '../ways.ts'

const ranges = ['interval=hour', 'interval=day', 'interval=month', 'from=2026-01-01&to=2026-02-01']
const badRanges = ['interval=week', 'interval=', 'from=yesterday', 'to=2026-02-28T25:00:00Z', 'from=2026-03-02&to=2026-03-01', 'from=1900-01-01&interval=hour']

export const usage: Cases = waysOf('usage.get', {
  200: [sound('usage.get'), ...ranges.map((query) => withQuery('usage.get', query))],
  400: badRanges.map((query) => withQuery('usage.get', query)),
})
