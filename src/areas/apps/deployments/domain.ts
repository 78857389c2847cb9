import { invalidRequest } from '../../../core/contract/errors.ts'
import type { AuthenticatedExchange } from '../../../core/pipeline/operation.ts'
import { quote, toSlug } from '../../../core/text/messages.ts'
import type { App } from '../apps/schemas.ts'
import { requirePlan } from '../payments/plans.ts'
import {
  assignedDomainRoot,
  type Deployment,
  type DeploymentBody,
  deployments,
  isAssignedDomain,
  isAtOrBelow,
} from './schemas.ts'

export function generateDomain(exchange: AuthenticatedExchange, app: Readonly<App>): string {
  const name = toSlug(app.name.toLowerCase().slice(0, 40)) || 'app'
  let domain = `${name}.${assignedDomainRoot}`
  while (isTaken(exchange, domain))
    domain = `${exchange.world.random('domain').id(name).replace('_', '-')}.${assignedDomainRoot}`
  return domain
}

function isTaken(exchange: AuthenticatedExchange, domain: string): boolean {
  return (
    exchange.collection(deployments).first((deployment) => deployment.domain === domain) !==
    undefined
  )
}

/** A deployment may keep its present domain and branding, even on a smaller plan. */
export function assertPermitted(
  exchange: AuthenticatedExchange,
  wanted: DeploymentBody,
  present?: Readonly<Deployment>,
): void {
  const { domain, branding } = wanted
  const hasNewDomain = domain !== undefined && domain !== present?.domain
  if (hasNewDomain && !isAssignedDomain(domain))
    requirePlan(exchange, 'custom_domains', 'A custom domain')
  if (branding?.hide_powered_by && !present?.branding.hide_powered_by)
    requirePlan(exchange, 'white_label', 'branding.hide_powered_by')
  if (hasNewDomain && isTaken(exchange, domain))
    throw invalidRequest(`domain: ${quote(domain)} is taken by another deployment.`)
}

const testDomains = {
  pending: 'dns-pending.example',
  mismatch: 'dns-fails.example',
} as const

/** The time limit for DNS records, in milliseconds: 72 hours. */
export const verificationPeriod = 72 * 3_600_000

type DnsFinding = 'verified' | 'pending' | 'mismatch'

export function simulateDnsLookup(
  exchange: AuthenticatedExchange,
  { domain, asked_at }: Readonly<Deployment>,
): DnsFinding {
  if (isAtOrBelow(domain, testDomains.mismatch)) return 'mismatch'
  if (isAtOrBelow(domain, testDomains.pending)) return 'pending'
  const assumed = exchange.assume('deployments.dns')
  if (assumed === 'after-1h') {
    if (exchange.now >= asked_at + 3_600_000) return 'verified'
    return 'pending'
  }
  return assumed
}

export function dnsRecords(deployment: Readonly<Deployment>) {
  const { domain, token } = deployment
  if (isAssignedDomain(domain)) return []
  const status = statusOf(deployment)
  return [
    {
      type: 'CNAME' as const,
      name: domain,
      value: `${token}.edge.${assignedDomainRoot}`,
      status,
    },
    {
      type: 'TXT' as const,
      name: `_greenhouse.${domain}`,
      value: `greenhouse-verify=${token}`,
      status,
    },
  ]
}

function statusOf({ state, failure }: Readonly<Deployment>): DnsFinding {
  if (state === 'pending_dns' || failure === 'dns_timeout') return 'pending'
  if (failure === 'dns_mismatch') return 'mismatch'
  return 'verified'
}
