import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { listQuery } from '../../../../core/pipeline/pagination.ts'
import { planNames } from '../../../../core/accounts/plans.ts'
import { OrderedEntries } from '../../../../core/store/ordered-entries.ts'
import { pageReply } from '../../list-reply.ts'
import { listOf } from '../../list-schema.ts'
import { presentPlan } from '../present.ts'
import { planSchema } from '../schemas/plan.ts'

const timeline = new OrderedEntries(planNames.map((id, sequence) => ({ sequence, record: presentPlan(id) })))

export const listPlans = declareOperation({
  id: 'plans.list',
  method: 'GET',
  path: '/plans',
  title: 'List the plans',
  source: 'ours',
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
  writes: false,
  handle: (exchange, input) => pageReply(exchange, input, { records: timeline, present: (plan) => plan }),
})
