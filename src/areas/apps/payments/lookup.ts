import { plans, type Plan } from '../../../core/accounts/plans.ts'
import { ApiError } from '../../../core/definitions/errors.ts'
import { quote } from '../../../core/definitions/quote.ts'
import { explainAbsence } from '../../../core/pipeline/absence.ts'
import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { ownRecord } from '../own-record.ts'
import { purchases, type Purchase } from './schemas/purchase.ts'

/** Returns the plan in a path. @throws ApiError 404 for an unknown id. */
export function knownPlan(exchange: Exchange, params: Readonly<Record<string, string>>): Readonly<Plan> {
  const id = params['plan_id']!
  const plan = exchange.world.collection(plans).get(id)
  if (plan) return plan
  throw new ApiError('not_found', `There is no plan with the id ${quote(id)}.`).because(
    explainAbsence(exchange, plans, id),
  )
}

/** Returns the caller's purchase in a path. @throws ApiError 404 if it does not exist or belongs to another account. */
export function ownPurchase(exchange: Exchange, params: Readonly<Record<string, string>>): Readonly<Purchase> {
  return ownRecord(exchange, purchases, params['purchase_id']!, 'purchase')
}
