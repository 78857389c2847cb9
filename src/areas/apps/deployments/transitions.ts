import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { deploymentAssumptions } from './assumptions.ts'
import { isAtOrBelow, isAssignedDomain } from './hostname.ts'
import type { Deployment, FailureCode } from './schemas.ts'

/** A change of state, and of the fields that depend on it. */
export type Transition = Pick<Deployment, 'state'> & Partial<Deployment>

/** Domains at or below this never get a certificate. */
const refusedDomain = 'certificate-fails.example'

/** How long it takes to issue a certificate, in milliseconds. */
const issuance = 30_000

/** Returns the step to `live`. */
export function toLive(at: number): Transition {
  return { state: 'live', live_at: at, certificate_at: undefined, failure: undefined }
}

/** Returns the step to `failed`; another verification can leave it. */
export function toFailed(failure: FailureCode): Transition {
  return { state: 'failed', failure, certificate_at: undefined }
}

/** Returns the step to `pending_dns`. */
export function toPending(at: number): Transition {
  return { state: 'pending_dns', asked_at: at, live_at: undefined, certificate_at: undefined, failure: undefined }
}

/** Returns the step after the DNS records were found: to `issuing_certificate`, or immediately to `live`. */
export function stepAfterDnsFound(exchange: Exchange, { domain }: Readonly<Deployment>): Transition {
  const isInstant =
    exchange.assume(deploymentAssumptions, 'deployments.certificate') === 'instant' &&
    !isAtOrBelow(domain, refusedDomain)
  return isInstant
    ? toLive(exchange.now)
    : { state: 'issuing_certificate', certificate_at: exchange.now + issuance, failure: undefined }
}

/** Returns the step after the wait for a certificate: to `live`, or to `failed` if it was refused. */
export function stepAfterCertificate(
  exchange: Pick<Exchange, 'assume'>,
  { domain, certificate_at }: Readonly<Deployment>,
): Transition {
  const isRefused =
    isAtOrBelow(domain, refusedDomain) || exchange.assume(deploymentAssumptions, 'deployments.certificate') === 'fails'
  return isRefused ? toFailed('certificate_failed') : toLive(certificate_at!)
}

/** Returns the fields that start a deployment on a domain: `live` below `assignedDomainRoot`, otherwise `pending_dns`. */
export function initialState({ world, now }: Exchange, domain: string) {
  const token = world.random('deployment').id('').slice(1)
  return { domain, token, asked_at: now, ...(isAssignedDomain(domain) ? toLive(now) : toPending(now)) }
}
