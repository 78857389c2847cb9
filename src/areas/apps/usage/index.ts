import { declareOperation } from '../../../core/pipeline/operation.ts'
import { appKind } from '../apps/present.ts'
import { apps } from '../apps/schemas.ts'
import { defineResource, recordOfPath } from '../declare.ts'
import { countUsage, presentUsage, usageReply } from './count-usage.ts'
import { rangeQuery, readRange } from './range.ts'
import { accountUsageSchema, usageSchema } from './schemas.ts'

export const usageResource = defineResource({
  operations: [
    declareOperation({
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
    }),
    declareOperation({
      id: 'usage.account',
      method: 'GET',
      path: '/usage',
      title: "Get the account's usage statistics",
      scope: 'analytics:read',
      query: {
        ...rangeQuery,
        group_by: { description: 'app adds the totals of each app, the newest first.', values: ['app'] },
      },
      result: accountUsageSchema,
      handle(exchange, { query }) {
        const range = readRange(query, exchange.now)
        const ids = exchange
          .collection(apps)
          .ownedBy(exchange.caller!.account.id)
          .newest(Infinity)
          .map(({ record }) => record.id)
        const isGrouped = query.get('group_by') !== null
        return usageReply(exchange, [range.interval, range.from, range.to, isGrouped, ids], () => {
          const usage = countUsage(exchange, ids, range)
          const body = presentUsage(range, usage)
          return isGrouped ? { ...body, apps: ids.map((app_id, index) => ({ app_id, ...usage.apps[index]! })) } : body
        })
      },
    }),
  ],
  schemas: { Usage: usageSchema, AccountUsage: accountUsageSchema },
})
