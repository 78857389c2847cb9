import { toIso } from '../../../core/clock.ts'
import { defineOperation } from '../../../core/operation.ts'
import { ownApp } from '../apps/own.ts'
import { countUsage } from './figures.ts'
import { readRange } from './range.ts'
import { usageSchema } from './schemas.ts'

/** An app's usage statistics, counted from what was said; all times are UTC. */
export const getUsage = defineOperation({
  id: 'usage.get',
  method: 'GET',
  path: '/apps/{app_id}/usage',
  title: "Get an app's usage statistics",
  source: 'ours',
  scope: 'analytics:read',
  result: usageSchema,
  writes: false,
  handle(exchange, { params, query }) {
    const app = ownApp(exchange, params['app_id']!)
    const range = readRange(query, exchange.now)
    const { totals, buckets } = countUsage(exchange, app.id, range)
    return {
      status: 200,
      body: {
        app_id: app.id,
        from: toIso(range.from),
        to: toIso(range.to),
        interval: range.interval,
        totals,
        buckets: buckets.map((figures, index) => ({ start: toIso(range.starts[index]!), ...figures })),
      },
    }
  },
})
