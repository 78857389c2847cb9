import { type Assuming, toAssume } from '../../../core/contract/assumptions.ts'
import type { AuthenticatedExchange } from '../../../core/pipeline/operation.ts'
import type { DueNote } from '../../../core/time/clock.ts'
import {
  schedulePendingWork,
  definePendingWork,
  type PendingWork,
} from '../../../core/world/pending.ts'
import type { LiveWorld } from '../../../core/world/live-world.ts'
import { verificationPeriod } from './domain.ts'
import { presentDeployment } from './present.ts'
import {
  type Deployment,
  deployments,
  type FailureCode,
  isAssignedDomain,
  isAtOrBelow,
} from './schemas.ts'

export type Transition = Partial<Deployment> & { state: Deployment['state'] }

/** Domains at or below this never get a certificate. */
const rejectedDomain = 'certificate-fails.example'

/** How long it takes to issue a certificate, in milliseconds. */
const issuance = 30_000

export function liveTransition(at: number): Transition {
  return {
    state: 'live',
    live_at: at,
    certificate_at: undefined,
    failure: undefined,
  }
}

export function failedTransition(failure: FailureCode): Transition {
  return {
    state: 'failed',
    failure,
    certificate_at: undefined,
  }
}

export function toPending(at: number): Transition {
  return {
    state: 'pending_dns',
    asked_at: at,
    live_at: undefined,
    certificate_at: undefined,
    failure: undefined,
  }
}

export function stepAfterDnsFound(
  exchange: AuthenticatedExchange,
  { domain }: Readonly<Deployment>,
): Transition {
  const { now } = exchange
  const isInstant = exchange.assume('deployments.certificate') === 'instant'
  if (isInstant && !isAtOrBelow(domain, rejectedDomain)) return liveTransition(now)
  return {
    state: 'issuing_certificate',
    certificate_at: now + issuance,
    failure: undefined,
  }
}

export function initialState({ world, now }: AuthenticatedExchange, domain: string) {
  const token = world.random('deployment').id('').slice(1)
  const first = isAssignedDomain(domain) ? liveTransition(now) : toPending(now)
  return {
    domain,
    token,
    asked_at: now,
    ...first,
  }
}

export function advance(
  exchange: AuthenticatedExchange,
  deployment: Readonly<Deployment>,
  step: Partial<Deployment>,
): Readonly<Deployment> {
  const changes = {
    ...step,
    updated_at: exchange.now,
  }
  const next = exchange.collection(deployments).amend(deployment, changes)
  scheduleNextStep(exchange, next)
  return next
}

export function scheduleNextStep(
  exchange: AuthenticatedExchange,
  deployment: Readonly<Deployment>,
): void {
  const { world } = exchange
  const { state, token } = deployment
  if (waitEndsAt(deployment) === undefined) return emitEvent(world, deployment)
  const step = stepAfterWait(exchange, deployment)
  const stored = exchange.collection(deployments)
  const work: PendingWork<Deployment> = {
    ...pendingDeployments,
    // The token detects a change of domain, even if both waits end at the same time.
    dueAt: (current) => {
      if (current.state === state && current.token === token) return waitEndsAt(current)
      return undefined
    },
    // The step was decided under the settings of this request, which may be over when it is due.
    finish: (_, waiting, at) =>
      emitEvent(
        world,
        stored.amend(waiting, {
          ...step,
          updated_at: at,
        }),
      ),
  }
  schedulePendingWork(world, work, deployment, stored)
}

function waitEndsAt({ state, asked_at, certificate_at }: Readonly<Deployment>): number | undefined {
  if (state === 'pending_dns') return asked_at + verificationPeriod
  if (state === 'issuing_certificate') return certificate_at
  return undefined
}

function stepAfterWait(
  exchange: Assuming,
  { state, domain, certificate_at }: Readonly<Deployment>,
): Transition {
  if (state === 'pending_dns') return failedTransition('dns_timeout')
  const isRejected =
    isAtOrBelow(domain, rejectedDomain) || exchange.assume('deployments.certificate') === 'fails'
  if (isRejected || certificate_at === undefined) return failedTransition('certificate_failed')
  return liveTransition(certificate_at)
}

function describeEnd({ id, domain, state }: Readonly<Deployment>): DueNote {
  const subject = {
    collection: deployments.name,
    id,
  }
  if (state === 'pending_dns') {
    const title = `The wait for the DNS records of ${domain} ends`
    return {
      kind: 'dns-timeout',
      title,
      subject,
    }
  }
  return {
    kind: 'certificate',
    title: `The certificate of ${domain} is issued or refused`,
    subject,
  }
}

function emitEvent(world: LiveWorld, deployment: Readonly<Deployment>): void {
  const { state, account, app, updated_at } = deployment
  world.emit({
    type: state === 'live' ? 'deployment.live' : 'deployment.failed',
    at: updated_at,
    account,
    app,
    data: presentDeployment(deployment),
  })
}

/** Deployments from fixtures or `world.records` finish their waits too. */
export const pendingDeployments = definePendingWork({
  collection: deployments,
  isWaiting: ({ state }) => state === 'pending_dns' || state === 'issuing_certificate',
  dueAt: waitEndsAt,
  finish(world, deployment, at) {
    const step = stepAfterWait({ assume: toAssume(world.effectiveSettings) }, deployment)
    const changes = {
      ...step,
      updated_at: at,
    }
    emitEvent(world, world.collection(deployments).amend(deployment, changes))
  },
  describe: describeEnd,
})
