import { assumptionValue } from '../../../../core/contract/assumptions.ts'
import { givenOf } from '../../../../core/contract/options.ts'
import { sharedByBuilds } from '../../../../core/contract/builds.ts'
import { printFailure } from '../../../../core/contract/errors.ts'
import { TransportClosedError } from '../../../../core/http/webhook-transport.ts'
import { type CollectionStore, onCommit } from '../../../../core/store/records.ts'
import type { DueNote } from '../../../../core/time/clock.ts'
import type { DeliveryFault } from '../../../../core/world/effective-settings.ts'
import { definePendingWork } from '../../../../core/world/pending.ts'
import type { AreaLifecycle, LiveWorld } from '../../../../core/world/live-world.ts'
import { delayAfter } from '../assumptions.ts'
import {
  type Attempt,
  deliveries,
  type Delivery,
  hasAccepted,
  type Webhook,
  webhooks,
} from '../schemas.ts'
import { sendAttempt, toSent, toWebhookRequest, type WebhookMessage } from './message.ts'
import { DeliveryQueue, type Job, type AttemptRun } from './queue.ts'

/** The state of a world's deliveries that is in no record. */
class DeliveryWork {
  queue: DeliveryQueue | undefined
  /** Cancels the scheduled attempt of a delivery, by its id. */
  readonly scheduled = new Map<string, () => void>()
  /**
   * Deliveries that wait for a later one to the same webhook, by webhook. After a restore they wait
   * only for their time.
   */
  readonly heldBack = new Map<string, Set<string>>()

  unschedule(delivery: string): void {
    this.scheduled.get(delivery)?.()
    this.scheduled.delete(delivery)
  }
}

const works = sharedByBuilds('deliveries', () => new WeakMap<LiveWorld, DeliveryWork>())

function workOf(world: LiveWorld): DeliveryWork {
  let work = works.get(world)
  if (!work) works.set(world, (work = new DeliveryWork()))
  return work
}

/** Queues the next attempt of a delivery, or schedules it. */
export function enqueue(world: LiveWorld, delivery: Readonly<Delivery>, at: number): void {
  onCommit(() => enqueueNow(world, toJob(delivery, at)))
}

function toJob({ id: delivery, webhook, account }: Readonly<Delivery>, at: number): Job {
  return { delivery, webhook, account, at }
}

function enqueueNow(world: LiveWorld, job: Job): void {
  const { delivery } = job
  const work = workOf(world)
  work.unschedule(delivery)
  if (job.at <= world.clock.now()) return queueAttempt(world, job)
  const cancel = world.schedule(
    job.at,
    () => {
      work.scheduled.delete(delivery)
      queueAttempt(world, job)
    },
    (at) => {
      const current = world.collection(deliveries).get(delivery)
      if (!current || attemptDueAt(current) !== at) return []
      return [{ at, ...describeAttempt(current) }]
    },
  )
  work.scheduled.set(delivery, cancel)
}

export function cancelAttempt(world: LiveWorld, { id, webhook }: Readonly<Delivery>): void {
  onCommit(() => {
    const work = works.get(world)
    work?.unschedule(id)
    work?.queue?.remove(webhook, id)
  })
}

export function cancelPending(world: LiveWorld, webhook: string): void {
  const stored = world.collection(deliveries)
  for (const delivery of stored.childrenOf(webhook).oldest()) {
    if (delivery.status !== 'pending') continue
    cancelAttempt(world, delivery)
    stored.update(delivery.id, {
      status: 'failed',
      redeliveries: undefined,
      next_attempt_at: null,
    })
  }
}

function queueAttempt(world: LiveWorld, job: Job): void {
  const done = (workOf(world).queue ??= createQueue(world)).add(job)
  if (done) world.background.add(done)
}

function createQueue(world: LiveWorld): DeliveryQueue {
  return new DeliveryQueue((job, run) =>
    makeAttempt(world, job, run).catch((error: unknown) =>
      printFailure('Greenhouse failed to deliver to a webhook:', error),
    ),
  )
}

export const deliveryLifecycle: AreaLifecycle = {
  stop(world) {
    const queue = works.get(world)?.queue
    works.delete(world)
    // A world without a queue makes no error: its stack costs more than the rest, and few worlds
    // have a queue.
    queue?.end(new Error('The world was reset.'))
  },
  disconnect(world) {
    const work = works.get(world)
    if (!work?.queue) return
    const dropped = work.queue.end(new TransportClosedError('No answer'))
    work.queue = undefined
    failJobs(world, dropped, new TransportClosedError('Not sent'))
  },
  written(world, collection, record) {
    if (collection === webhooks.name && !(record as Webhook).enabled)
      cancelPending(world, (record as Webhook).id)
  },
  resume(world) {
    const now = world.clock.now()
    for (const delivery of world.collection(deliveries).all()) {
      const at = attemptDueAt(delivery)
      if (at !== undefined && at <= now) queueAttempt(world, toJob(delivery, at))
    }
  },
}

export const pendingDeliveries = definePendingWork({
  collection: deliveries,
  isWaiting: ({ status }) => status === 'pending',
  dueAt: attemptDueAt,
  finish: enqueue,
  describe: describeAttempt,
})

function attemptDueAt({ status, next_attempt_at }: Readonly<Delivery>): number | undefined {
  if (status !== 'pending') return undefined
  return next_attempt_at ?? undefined
}

function describeAttempt({ id, type, webhook, tries }: Readonly<Delivery>): DueNote {
  let title = `${type} is sent to ${webhook}`
  if (tries > 0) title += ` again, attempt ${tries + 1}`
  return { kind: 'delivery', title, subject: { collection: deliveries.name, id } }
}

export function sendAgain(
  world: LiveWorld,
  stored: CollectionStore<Delivery>,
  delivery: Readonly<Delivery>,
  now: number,
): Readonly<Delivery> {
  const { status, next_attempt_at, redeliveries = 0 } = delivery
  const isDue = status === 'pending' && next_attempt_at !== null && next_attempt_at <= now
  // An attempt is on its way: the delivery starts again after it.
  if (isDue) return stored.amend(delivery, { redeliveries: redeliveries + 1 })
  const pending = stored.amend(delivery, { status: 'pending', tries: 0, next_attempt_at: now })
  enqueue(world, pending, now)
  return pending
}

const maxAttempts = 100

async function makeAttempt(
  world: LiveWorld,
  { delivery: id, at }: Job,
  run: AttemptRun,
): Promise<void> {
  // Lets the clock finish its move: all other work that is due by then comes first.
  await undefined
  // Somebody may have deleted, disabled or moved it since it was queued.
  const delivery = world.collection(deliveries).get(id)
  const webhook = delivery && world.collection(webhooks).get(delivery.webhook)
  if (!webhook?.enabled || delivery?.status !== 'pending' || delivery.next_attempt_at !== at) return
  const fault = delivery.attempts.length === 0 ? delivery.faults?.find(isWrongMessage) : undefined
  let sent: Attempt['sent']
  const { isLast, ...outcome } = await sendAttempt(
    world,
    () => {
      const request = toWebhookRequest(world, webhook, {
        id: delivery.event,
        payload: delivery.payload,
        due: at,
        fault,
      })
      sent = toSent(request)
      return { ...request, delivery: id }
    },
    run,
  )
  // A case has no other order: its replay does all work that is due before an answer.
  world.catchUp()
  if (run.stopped && !(run.stopped instanceof TransportClosedError)) return
  // The answer is a change from outside, so a case keeps it. Then the next attempt is due, or none.
  world.clock.during(() => {
    world.recordChange({ answer: { delivery: id, ...outcome } })
    const attempt = givenOf({ at, ...outcome, fault: fault?.kind, sent })
    const next = storeAttempt(world, id, attempt, isLast)
    const nextAt = next?.next_attempt_at ?? null
    if (next && nextAt !== null) enqueue(world, next, nextAt)
    world.notify({
      event: 'delivery',
      world: world.name,
      at,
      webhook: webhook.id,
      delivery: id,
      type: delivery.type,
      url: webhook.url,
      attempt: delivery.tries + 1,
      status: outcome.status,
      error: outcome.error,
      ms: outcome.latency,
      next: nextAt,
    })
    releaseHeldBack(world, webhook.id, id, at)
  })
}

function failJobs(world: LiveWorld, jobs: readonly Job[], { message: error }: Error): void {
  const stored = world.collection(deliveries)
  for (const { delivery: id, at } of jobs) {
    const delivery = stored.get(id)
    if (delivery?.status === 'pending' && delivery.next_attempt_at === at)
      storeAttempt(world, id, { at, status: null, error, latency: 0, response: null }, true)
  }
}

/**
 * Stores an attempt and what follows from it. Returns the delivery if its next attempt has to be
 * queued.
 */
function storeAttempt(
  world: LiveWorld,
  id: string,
  attempt: Attempt,
  isLast: boolean,
): Readonly<Delivery> | undefined {
  const stored = world.collection(deliveries)
  const before = stored.get(id)
  if (!before) return undefined
  const { webhook } = before
  const disables =
    attempt.status === 410 &&
    assumptionValue(world.effectiveSettings, 'webhooks.gone') === 'disable'
  const { isQueued, ...next } = nextState(before, attempt, {
    now: world.clock.now(),
    isOver: disables || isLast || !world.collection(webhooks).get(webhook)?.enabled,
    delayAfter: (tries) => delayAfter(world, tries),
  })
  const after = stored.change(id, {
    attempts: [...before.attempts, attempt].slice(-maxAttempts),
    ...next,
  })
  if (disables) {
    world.collection(webhooks).update(webhook, { enabled: false, updated_at: attempt.at })
    cancelPending(world, webhook)
  }
  if (next.next_attempt_at === null || isQueued) return undefined
  return after
}

interface RetryPolicy {
  readonly now: number
  /** True if there is no further attempt, whatever the answer is. */
  readonly isOver: boolean
  delayAfter(tries: number): number | undefined
}

/** The state of a delivery after an attempt. */
interface NextState extends Pick<
  Delivery,
  'status' | 'tries' | 'redeliveries' | 'next_attempt_at'
> {
  /** True if the next attempt was queued during this one, by a redelivery. */
  readonly isQueued?: boolean
}

function nextState(delivery: Readonly<Delivery>, attempt: Attempt, policy: RetryPolicy): NextState {
  const { status, redeliveries, next_attempt_at } = delivery
  // Somebody sent it again during this attempt.
  if (!policy.isOver && status === 'pending' && next_attempt_at !== attempt.at)
    return { status, tries: delivery.tries, redeliveries, next_attempt_at, isQueued: true }
  // Somebody asked for a further delivery, which begins now.
  if (!policy.isOver && redeliveries)
    return {
      status: 'pending',
      tries: 0,
      redeliveries: redeliveries - 1,
      next_attempt_at: policy.now,
    }
  const tries = delivery.tries + 1
  const isAccepted = hasAccepted(attempt)
  const delay = isAccepted || policy.isOver ? undefined : policy.delayAfter(tries)
  if (delay !== undefined)
    return {
      status: 'pending',
      tries,
      redeliveries,
      next_attempt_at: attempt.at + delay,
    }
  return {
    status: isAccepted ? 'succeeded' : 'failed',
    tries,
    redeliveries: undefined,
    next_attempt_at: null,
  }
}

function isWrongMessage(fault: DeliveryFault): fault is NonNullable<WebhookMessage['fault']> {
  return fault.kind === 'stale-timestamp' || fault.kind === 'bad-signature'
}

/** Lets a delivery wait until a later one to the same webhook was sent. */
export function holdBack(world: LiveWorld, { id, webhook }: Readonly<Delivery>): void {
  const { heldBack } = workOf(world)
  heldBack.set(webhook, (heldBack.get(webhook) ?? new Set()).add(id))
}

export function isHolding(world: LiveWorld, webhook: string): boolean {
  return works.get(world)?.heldBack.has(webhook) ?? false
}

function releaseHeldBack(world: LiveWorld, webhook: string, sent: string, at: number): void {
  const { heldBack } = workOf(world)
  const held = heldBack.get(webhook)
  if (!held) return
  heldBack.delete(webhook)
  const stored = world.collection(deliveries)
  for (const id of held) {
    const delivery = stored.get(id)
    if (id === sent || delivery?.status !== 'pending') continue
    enqueue(world, stored.amend(delivery, { next_attempt_at: at }), at)
  }
}
