import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { appKind } from '../../apps/present.ts'
import { recordOfPath } from '../../declare.ts'
import { countUsage } from '../count-usage.ts'
import { presentUsage, usageReply } from '../present.ts'
import { rangeQuery, readRange } from '../range.ts'
import { usageSchema } from '../schemas.ts'

export const getUsage = declareOperation({
  id: 'usage.get',
  method: 'GET',
  path: '/apps/{app_id}/usage',
  title: "Get an app's usage statistics",
  scope: 'analytics:read',
  query: rangeQuery,
  result: usageSchema,
  handle(exchange, { params, query }) {
    const { id } = recordOfPath(exchange, appKind, params)
    const range = readRange(query, exchange.now)
    return usageReply(exchange, [range.interval, range.from, range.to, id], () => ({
      app_id: id,
      ...presentUsage(range, countUsage(exchange, [id], range)),
    }))
  },
})
