import { type Exchange, withoutRequest } from '../../../core/pipeline/exchange.ts'
import { definePendingWork } from '../../../core/world/pending.ts'
import type { DueNote } from '../../../core/time/clock.ts'
import type { CoreWorld } from '../../../core/world/world.ts'
import { verificationPeriod } from './dns.ts'
import { presentDeployment } from './present.ts'
import { deployments, type Deployment } from './schemas.ts'
import { toFailed, stepAfterCertificate, type Transition } from './transitions.ts'

export function advance(
  exchange: Exchange,
  { id }: Readonly<Deployment>,
  step: Partial<Deployment>,
): Readonly<Deployment> {
  const next = exchange.collection(deployments).update(id, { ...step, updated_at: exchange.now })
  scheduleNextStep(exchange, next!)
  return next!
}

export function scheduleNextStep(exchange: Exchange, deployment: Readonly<Deployment>): void {
  const time = waitEndsAt(deployment)
  if (time === undefined) emitEvent(exchange.world, deployment)
  else scheduleStep(exchange, deployment, time, stepAfterWait(exchange, deployment))
}

/** Schedules a step. It is skipped if the deployment was deleted or has left this state by then, even if it came back to it. */
function scheduleStep(
  exchange: Exchange,
  { id, state, token }: Readonly<Deployment>,
  time: number,
  step: Transition,
): void {
  const { world } = exchange
  const stored = exchange.collection(deployments)
  const getIfStillWaiting = () => {
    const current = stored.get(id)
    // The token detects a change of domain, even if both waits end at the same time.
    return current?.state === state && current.token === token && waitEndsAt(current) === time ? current : undefined
  }
  world.schedule(
    time,
    (at) => {
      if (getIfStillWaiting()) emitEvent(world, stored.update(id, { ...step, updated_at: at })!)
    },
    (at) => {
      const current = getIfStillWaiting()
      return current ? [{ at, ...describeEnd(current) }] : []
    },
  )
}

function waitEndsAt({ state, asked_at, certificate_at }: Readonly<Deployment>): number | undefined {
  if (state === 'pending_dns') return asked_at + verificationPeriod
  return state === 'issuing_certificate' ? certificate_at : undefined
}

function stepAfterWait(exchange: Pick<Exchange, 'assume'>, deployment: Readonly<Deployment>): Transition {
  return deployment.state === 'pending_dns' ? toFailed('dns_timeout') : stepAfterCertificate(exchange, deployment)
}

function describeEnd({ id, domain, state }: Readonly<Deployment>): DueNote {
  const subject = { collection: deployments.name, id }
  return state === 'pending_dns'
    ? { kind: 'dns-timeout', title: `The wait for the DNS records of ${domain} ends`, subject }
    : { kind: 'certificate', title: `The certificate of ${domain} is issued or refused`, subject }
}

function emitEvent(world: CoreWorld, deployment: Readonly<Deployment>): void {
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
    const step = stepAfterWait(withoutRequest(world), deployment)
    emitEvent(world, world.collection(deployments).update(deployment.id, { ...step, updated_at: at })!)
  },
  describe: describeEnd,
})
