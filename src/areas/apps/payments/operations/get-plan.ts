import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { knownPlan } from '../lookup.ts'
import { presentPlan } from '../present.ts'
import { planSchema } from '../schemas.ts'

export const getPlan = declareOperation({
  id: 'plans.get',
  method: 'GET',
  path: '/plans/{plan_id}',
  title: 'Get a plan',
  scope: 'any',
  result: planSchema,
  handle: (exchange, { params }) => ({ status: 200, body: presentPlan(knownPlan(exchange, params)) }),
})
