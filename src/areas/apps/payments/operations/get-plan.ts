import { ApiError } from '../../../../core/definitions/errors.ts'
import { defineOperation } from '../../../../core/pipeline/operation.ts'
import { planNames } from '../../../../core/accounts/plans.ts'
import { quote } from '../../../../core/definitions/quote.ts'
import { presentPlan } from '../present.ts'
import { planSchema } from '../schemas.ts'

export const getPlan = defineOperation({
  id: 'plans.get',
  method: 'GET',
  path: '/plans/{plan_id}',
  title: 'Get a plan',
  source: 'ours',
  scope: 'any',
  result: planSchema,
  writes: false,
  handle(_, { params }) {
    const id = params['plan_id']!
    const plan = planNames.find((known) => known === id)
    if (!plan) throw new ApiError('not_found', `There is no plan with the id ${quote(id)}.`)
    return { status: 200, body: presentPlan(plan) }
  },
})
