import { ApiError } from '../../core/definitions/errors.ts'
import type { Exchange } from '../../core/pipeline/exchange.ts'
import type { PlanName } from '../../core/accounts/plans.ts'
import { isAtLeast, offers } from './plan-offers.ts'

/** @throws ApiError 403 if the caller's plan is too low. */
export function requirePlan(exchange: Exchange, needed: PlanName, what: string): void {
  if (isAtLeast(exchange.caller!.plan, needed)) return
  throw new ApiError('insufficient_permissions', `${what} needs the plan ${offers[needed].title} or a higher one.`)
}
