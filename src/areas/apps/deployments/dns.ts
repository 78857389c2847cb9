import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { deploymentAssumptions } from './assumptions.ts'
import { isAtOrBelow, isAssignedDomain, assignedDomainRoot } from './hostname.ts'
import type { Deployment } from './schemas.ts'

const testDomains = { pending: 'dns-pending.example', mismatch: 'dns-fails.example' } as const

/** The time limit for DNS records, in milliseconds: 72 hours. */
export const verificationPeriod = 72 * 3_600_000

type DnsFinding = 'verified' | 'pending' | 'mismatch'

/** Simulates a DNS lookup: the deployment's domain decides, otherwise the assumption `deployments.dns`. */
export function simulateDnsLookup(exchange: Exchange, { domain, asked_at }: Readonly<Deployment>): DnsFinding {
  if (isAtOrBelow(domain, testDomains.mismatch)) return 'mismatch'
  if (isAtOrBelow(domain, testDomains.pending)) return 'pending'
  const assumed = exchange.assume(deploymentAssumptions, 'deployments.dns')
  if (assumed === 'after-1h') return exchange.now >= asked_at + 3_600_000 ? 'verified' : 'pending'
  return assumed
}

export function dnsRecords(deployment: Readonly<Deployment>) {
  const { domain, token } = deployment
  if (isAssignedDomain(domain)) return []
  const status = statusOf(deployment)
  return [
    { type: 'CNAME' as const, name: domain, value: `${token}.edge.${assignedDomainRoot}`, status },
    { type: 'TXT' as const, name: `_greenhouse.${domain}`, value: `greenhouse-verify=${token}`, status },
  ]
}

function statusOf({ state, failure }: Readonly<Deployment>): DnsFinding {
  if (state === 'pending_dns' || failure === 'dns_timeout') return 'pending'
  return failure === 'dns_mismatch' ? 'mismatch' : 'verified'
}
