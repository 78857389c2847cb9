import { OrderedEntries } from '../../../../core/store/ordered-entries.ts'
import { declareList } from '../../declare.ts'
import { plansByPrice } from '../plans.ts'
import { presentPlan } from '../present.ts'
import { planSchema } from '../schemas.ts'

export const listPlans = declareList({
  id: 'plans.list',
  path: '/plans',
  title: 'List the plans',
  scope: 'any',
  item: planSchema,
  filters: {
    order: {
      description: 'asc begins with the cheapest plan, desc with the most expensive.',
      values: ['asc', 'desc'],
      default: 'asc',
    },
  },
  records: ({ world }) => new OrderedEntries(plansByPrice(world).map((record, sequence) => ({ sequence, record }))),
  presenterFor: () => presentPlan,
})
