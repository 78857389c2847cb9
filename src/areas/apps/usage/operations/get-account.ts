import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { apps } from '../../apps/schemas.ts'
import { countUsage } from '../count-usage.ts'
import { presentUsage, usageReply } from '../present.ts'
import { rangeQuery, readRange } from '../range.ts'
import { accountUsageSchema } from '../schemas.ts'

export const getAccountUsage = declareOperation({
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
})
