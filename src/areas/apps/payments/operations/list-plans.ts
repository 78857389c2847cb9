import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { listQuery } from '../../../../core/pipeline/query.ts'
import { OrderedEntries } from '../../../../core/store/ordered-entries.ts'
import { listOf, pageReply } from '../../list-reply.ts'
import { plansByPrice } from '../lookup.ts'
import { presentPlan } from '../present.ts'
import { planSchema } from '../schemas.ts'

export const listPlans = declareOperation({
  id: 'plans.list',
  method: 'GET',
  path: '/plans',
  title: 'List the plans',
  scope: 'any',
  query: {
    ...listQuery(),
    order: {
      description: 'asc begins with the cheapest plan, desc with the most expensive.',
      values: ['asc', 'desc'],
      default: 'asc',
    },
  },
  ...listOf(planSchema),
  handle(exchange, input) {
    const records = plansByPrice(exchange.world).map((record, sequence) => ({ sequence, record }))
    return pageReply(exchange, input, { records: new OrderedEntries(records), present: presentPlan })
  },
})
