import { declareGet } from '../../declare.ts'
import { knownPlan } from '../plans.ts'
import { presentPlan } from '../present.ts'
import { planSchema } from '../schemas.ts'

export const getPlan = declareGet({
  id: 'plans.get',
  path: '/plans/{plan_id}',
  title: 'Get a plan',
  scope: 'any',
  result: planSchema,
  read: (exchange, params) => presentPlan(knownPlan(exchange, params)),
})
