import { ApiError } from '../../../core/contract/errors.ts'
import { quote } from '../../../core/text/messages.ts'
import type { Exchange } from '../../../core/pipeline/exchange.ts'
import type { App } from '../apps/schemas.ts'
import { requirePlan } from '../require-plan.ts'
import { assignedDomainRoot, isAssignedDomain } from './hostname.ts'
import { type Deployment, type DeploymentBody, deployments } from './schemas.ts'

/** @throws ApiError 400 if any deployment of any account has the domain, in any state. */
export function assertFree(exchange: Exchange, domain: string): void {
  if (isTaken(exchange, domain))
    throw new ApiError('invalid_request', `domain: ${quote(domain)} is taken by another deployment.`)
}

export function generateDomain(exchange: Exchange, app: Readonly<App>): string {
  const name =
    app.name
      .toLowerCase()
      .slice(0, 40)
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'app'
  let domain = `${name}.${assignedDomainRoot}`
  while (isTaken(exchange, domain))
    domain = `${exchange.world.random('domain').id(name).replace('_', '-')}.${assignedDomainRoot}`
  return domain
}

function isTaken(exchange: Exchange, domain: string): boolean {
  return exchange.collection(deployments).first((deployment) => deployment.domain === domain) !== undefined
}

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
