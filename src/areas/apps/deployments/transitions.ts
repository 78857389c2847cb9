import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { deploymentAssumptions } from './assumptions.ts'
import { isAtOrBelow, isAssignedDomain } from './hostname.ts'
import type { Deployment, FailureCode } from './schemas.ts'

export type Transition = Pick<Deployment, 'state'> & Partial<Deployment>

/** Domains at or below this never get a certificate. */
const rejectedDomain = 'certificate-fails.example'

/** How long it takes to issue a certificate, in milliseconds. */
const issuance = 30_000

export function toLive(at: number): Transition {
  return { state: 'live', live_at: at, certificate_at: undefined, failure: undefined }
}

export function toFailed(failure: FailureCode): Transition {
  return { state: 'failed', failure, certificate_at: undefined }
}

export function toPending(at: number): Transition {
  return { state: 'pending_dns', asked_at: at, live_at: undefined, certificate_at: undefined, failure: undefined }
}

export function stepAfterDnsFound(exchange: Exchange, { domain }: Readonly<Deployment>): Transition {
  const isInstant =
    exchange.assume(deploymentAssumptions, 'deployments.certificate') === 'instant' &&
    !isAtOrBelow(domain, rejectedDomain)
  return isInstant
    ? toLive(exchange.now)
    : { state: 'issuing_certificate', certificate_at: exchange.now + issuance, failure: undefined }
}

export function stepAfterCertificate(
  exchange: Pick<Exchange, 'assume'>,
  { domain, certificate_at }: Readonly<Deployment>,
): Transition {
  const isRejected =
    isAtOrBelow(domain, rejectedDomain) || exchange.assume(deploymentAssumptions, 'deployments.certificate') === 'fails'
  return isRejected ? toFailed('certificate_failed') : toLive(certificate_at!)
}

export function initialState({ world, now }: Exchange, domain: string) {
  const token = world.random('deployment').id('').slice(1)
  return { domain, token, asked_at: now, ...(isAssignedDomain(domain) ? toLive(now) : toPending(now)) }
}
