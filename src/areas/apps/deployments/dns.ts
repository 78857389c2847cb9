import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { deploymentAssumptions } from './assumptions.ts'
import { isAtOrBelow, isOurs, ourDomain } from './hostname.ts'
import type { Deployment } from './schemas.ts'

/** Domains below these behave alike whatever is assumed, as the test cards of payment services do. */
const testDomains = { pending: 'dns-pending.example', mismatch: 'dns-fails.example' } as const

/** How long DNS records are waited for, in milliseconds: 72 hours. */
export const verificationPeriod = 72 * 3_600_000

/** What verification finds: the records that it wants, none yet, or others. */
export type Finding = 'verified' | 'pending' | 'mismatch'

/** Looks for a deployment's records. There is no DNS: its domain decides, else the assumption `deployments.dns`. */
export function lookUp(exchange: Exchange, { domain, asked_at }: Readonly<Deployment>): Finding {
  if (isAtOrBelow(domain, testDomains.mismatch)) return 'mismatch'
  if (isAtOrBelow(domain, testDomains.pending)) return 'pending'
  const assumed = exchange.assume(deploymentAssumptions, 'deployments.dns')
  if (assumed === 'after-1h') return exchange.now >= asked_at + 3_600_000 ? 'verified' : 'pending'
  return assumed
}

/** The records that lead a custom domain to us and prove whose it is; none for a domain of ours. */
export function dnsRecords(deployment: Readonly<Deployment>) {
  const { domain, token } = deployment
  if (isOurs(domain)) return []
  const status = statusOf(deployment)
  return [
    { type: 'CNAME' as const, name: domain, value: `${token}.edge.${ourDomain}`, status },
    { type: 'TXT' as const, name: `_greenhouse.${domain}`, value: `greenhouse-verify=${token}`, status },
  ]
}

function statusOf({ state, failure }: Readonly<Deployment>): Finding {
  if (state === 'pending_dns' || failure === 'dns_timeout') return 'pending'
  return failure === 'dns_mismatch' ? 'mismatch' : 'verified'
}
