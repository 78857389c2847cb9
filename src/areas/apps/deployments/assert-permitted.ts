import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { requirePlan } from '../require-plan.ts'
import { assertFree } from './domain.ts'
import { isAssignedDomain } from './hostname.ts'
import type { Deployment, DeploymentBody } from './schemas.ts'

/**
 * Checks the requested domain and branding. A deployment may keep its present ones, even on a smaller plan. @throws
 * ApiError 403 if the plan is too small, 400 if the domain is taken.
 */
export function assertPermitted(exchange: Exchange, wanted: DeploymentBody, present?: Readonly<Deployment>): void {
  const { domain, branding } = wanted
  const hasNewDomain = domain !== undefined && domain !== present?.domain
  if (hasNewDomain && !isAssignedDomain(domain)) requirePlan(exchange, 'custom_domains', 'A custom domain')
  if (branding?.hide_powered_by && !present?.branding.hide_powered_by)
    requirePlan(exchange, 'white_label', 'branding.hide_powered_by')
  if (hasNewDomain) assertFree(exchange, domain)
}
