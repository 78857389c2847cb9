import { ApiError } from '../../core/errors.ts'
import type { Exchange } from '../../core/exchange.ts'
import { planNames, type PlanName } from '../../core/plans.ts'

/** What plans are called where people read of them. */
const titles: Record<PlanName, string> = { free: 'Free', lite: 'Lite', pro: 'Pro', pro_plus: 'Pro Plus' }

/** @throws ApiError 403 when the caller's plan is below the one that something needs. */
export function requirePlan(exchange: Exchange, needed: PlanName, what: string): void {
  if (planNames.indexOf(exchange.caller!.plan) < planNames.indexOf(needed))
    throw new ApiError('insufficient_permissions', `${what} needs the plan ${titles[needed]} or a higher one.`)
}
