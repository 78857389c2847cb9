import { plans, type Plan } from '../../../core/accounts/plans.ts'
import { ApiError } from '../../../core/contract/errors.ts'
import { quote } from '../../../core/text/messages.ts'
import { explainNotFound } from '../../../core/pipeline/explain-not-found.ts'
import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { findAccountRecord } from '../find-record.ts'
import { purchases, type Purchase } from './schemas/purchase.ts'

export function knownPlan(exchange: Exchange, params: Readonly<Record<string, string>>): Readonly<Plan> {
  const id = params['plan_id']!
  const plan = exchange.world.collection(plans).get(id)
  if (plan) return plan
  throw new ApiError('not_found', `There is no plan with the id ${quote(id)}.`).because(
    explainNotFound(exchange, plans, id),
  )
}

export function findPurchase(exchange: Exchange, params: Readonly<Record<string, string>>): Readonly<Purchase> {
  return findAccountRecord(exchange, purchases, params['purchase_id']!, 'purchase')
}
