import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { deploymentAssumptions } from './assumptions.ts'
import { isAtOrBelow, isOurs } from './hostname.ts'
import type { Deployment, FailureCode } from './schemas.ts'

/** What changes of a deployment as it goes from one state to another. */
export type Step = Pick<Deployment, 'state'> & Partial<Deployment>

/** Domains at or below this get no certificate, whatever is assumed. */
const refusedDomain = 'certificate-fails.example'

/** How long a certificate takes, in milliseconds. */
const issuance = 30_000

/** Serves from now on. */
export function toLive(at: number): Step {
  return { state: 'live', live_at: at, certificate_at: undefined, failure: undefined }
}

/** Ends, until it is verified again. */
export function toFailed(failure: FailureCode): Step {
  return { state: 'failed', failure, certificate_at: undefined }
}

/** Waits for the DNS records of its domain. */
export function toPending(at: number): Step {
  return { state: 'pending_dns', asked_at: at, live_at: undefined, certificate_at: undefined, failure: undefined }
}

/** Goes on where the DNS records were found: waits for a certificate, unless that is there at once. */
export function toIssuing(exchange: Exchange, { domain }: Readonly<Deployment>): Step {
  const isInstant =
    exchange.assume(deploymentAssumptions, 'deployments.certificate') === 'instant' &&
    !isAtOrBelow(domain, refusedDomain)
  return isInstant
    ? toLive(exchange.now)
    : { state: 'issuing_certificate', certificate_at: exchange.now + issuance, failure: undefined }
}

/** What comes of waiting for a certificate. */
export function toIssued(exchange: Pick<Exchange, 'assume'>, { domain, certificate_at }: Readonly<Deployment>): Step {
  const isRefused =
    isAtOrBelow(domain, refusedDomain) || exchange.assume(deploymentAssumptions, 'deployments.certificate') === 'fails'
  return isRefused ? toFailed('certificate_failed') : toLive(certificate_at!)
}

/** Where a deployment stands when it gets a domain: live on one of ours, else waiting for DNS. */
export function toStart({ world, now }: Exchange, domain: string) {
  const token = world.random('deployment').id('').slice(1)
  return { domain, token, asked_at: now, ...(isOurs(domain) ? toLive(now) : toPending(now)) }
}
