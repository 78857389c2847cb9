import { defineOperation } from '../../../core/operation.ts'
import { planNames } from '../../../core/plans.ts'
import { Timeline } from '../../../core/timeline.ts'
import { pageReply } from '../list.ts'
import { listSchema } from '../list-schema.ts'
import { presentPlan } from './present.ts'
import { planSchema } from './schemas.ts'

/** The cheapest first: a list begins with the newest. */
const timeline = new Timeline(planNames.toReversed().map((id, sequence) => ({ sequence, record: presentPlan(id) })))

export const listPlans = defineOperation({
  id: 'plans.list',
  method: 'GET',
  path: '/plans',
  title: 'List the plans',
  source: 'ours',
  scope: 'any',
  result: listSchema(planSchema),
  writes: false,
  handle: (exchange, { query }) => pageReply(exchange, timeline, query, (plan) => plan),
})
