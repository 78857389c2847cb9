import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { deploymentAssumptions } from './assumptions.ts'
import { isAtOrBelow, isOurs } from './hostname.ts'
import type { Deployment, FailureCode } from './schemas.ts'

/** The fields that change with a state. */
export type Step = Pick<Deployment, 'state'> & Partial<Deployment>

/** Domains at or below this never get a certificate. */
const refusedDomain = 'certificate-fails.example'

/** The duration of issuing a certificate, in milliseconds. */
const issuance = 30_000

/** The deployment is live. */
export function toLive(at: number): Step {
  return { state: 'live', live_at: at, certificate_at: undefined, failure: undefined }
}

/** The deployment fails, until it is verified again. */
export function toFailed(failure: FailureCode): Step {
  return { state: 'failed', failure, certificate_at: undefined }
}

/** The deployment waits for its DNS records. */
export function toPending(at: number): Step {
  return { state: 'pending_dns', asked_at: at, live_at: undefined, certificate_at: undefined, failure: undefined }
}

/** The DNS records were found: the deployment waits for a certificate, or has it immediately. */
export function toIssuing(exchange: Exchange, { domain }: Readonly<Deployment>): Step {
  const isInstant =
    exchange.assume(deploymentAssumptions, 'deployments.certificate') === 'instant' &&
    !isAtOrBelow(domain, refusedDomain)
  return isInstant
    ? toLive(exchange.now)
    : { state: 'issuing_certificate', certificate_at: exchange.now + issuance, failure: undefined }
}

/** The wait for a certificate ends. */
export function toIssued(exchange: Pick<Exchange, 'assume'>, { domain, certificate_at }: Readonly<Deployment>): Step {
  const isRefused =
    isAtOrBelow(domain, refusedDomain) || exchange.assume(deploymentAssumptions, 'deployments.certificate') === 'fails'
  return isRefused ? toFailed('certificate_failed') : toLive(certificate_at!)
}

/** The first state with a domain: live for one of ours, otherwise waiting for DNS. */
export function toStart({ world, now }: Exchange, domain: string) {
  const token = world.random('deployment').id('').slice(1)
  return { domain, token, asked_at: now, ...(isOurs(domain) ? toLive(now) : toPending(now)) }
}
