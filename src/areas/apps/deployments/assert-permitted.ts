import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { requirePlan } from '../require-plan.ts'
import { firstPlanWith } from '../plan-offers.ts'
import { assertFree } from './domain.ts'
import { isOurs } from './hostname.ts'
import type { Deployment, NewDeployment } from './schemas.ts'

/**
 * Checks what is wanted of a deployment; what it has already it keeps, whatever has become of the plan.
 * @throws ApiError 403 when the plan is too small, 400 when the domain is taken.
 */
export function assertPermitted(exchange: Exchange, wanted: NewDeployment, present?: Readonly<Deployment>): void {
  const { domain, branding } = wanted
  const hasNewDomain = domain !== undefined && domain !== present?.domain
  if (hasNewDomain && !isOurs(domain)) requirePlan(exchange, firstPlanWith.custom_domain, 'A custom domain')
  if (branding?.hide_powered_by && !present?.branding.hide_powered_by)
    requirePlan(exchange, firstPlanWith.hide_powered_by, 'branding.hide_powered_by')
  if (hasNewDomain) assertFree(exchange, domain)
}
