import type { Exchange } from '../../../core/exchange.ts'
import { assertKnownFields } from '../fields.ts'
import { requirePlan } from '../plan-gate.ts'
import { firstPlanWith } from '../plan-offers.ts'
import { assertFree } from './domain.ts'
import { isOurs } from './hostname.ts'
import { brandingSchema, newDeploymentSchema, type Deployment, type NewDeployment } from './schemas.ts'

/**
 * Checks what is wanted of a deployment; what it has already it keeps, whatever has become of the plan.
 * @throws ApiError 403 when the plan is too small, 400 when the domain is taken or a field is not known.
 */
export function assertPermitted(exchange: Exchange, wanted: NewDeployment, sent: Readonly<Record<string, unknown>>, present?: Readonly<Deployment>): void {
  assertKnownFields(exchange, sent, newDeploymentSchema.shape)
  if (wanted.branding) assertKnownFields(exchange, sent['branding'] as Readonly<Record<string, unknown>>, brandingSchema.shape)
  const { domain, branding } = wanted
  const hasNewDomain = domain !== undefined && domain !== present?.domain
  if (hasNewDomain && !isOurs(domain)) requirePlan(exchange, firstPlanWith.custom_domain, 'A custom domain')
  if (branding?.hide_powered_by && !present?.branding.hide_powered_by) requirePlan(exchange, firstPlanWith.hide_powered_by, 'branding.hide_powered_by')
  if (hasNewDomain) assertFree(exchange, domain)
}
