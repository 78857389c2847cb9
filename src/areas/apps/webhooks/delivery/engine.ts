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
import { type Attempt, deliveries, type Delivery, type Webhook, webhooks } from '../schemas.ts'
import {
  type AttemptResult,
  sendAttempt,
  toWebhookRequest,
  type WebhookMessage,
} from './message.ts'
import { DeliveryQueue, type Job, type AttemptRun } from './queue.ts'
import { judgeAttempt } from './retry-policy.ts'
import { cached } from '../../../../core/contract/cache.ts'

// The life of an attempt: it is planned for a time (`planAttempt`), waits on the world's clock
// (`schedule`), is due and waits for its turn in the queue (`queueDue`), is made (`makeAttempt`),
// and is stored, which may plan the next one (`storeAttempt`). The record's `next_attempt_at` says
// which attempt a delivery waits for. All that waits elsewhere is only a reminder of that: one whose
// time is another is out of date, and does nothing (`isWaitingFor`).

/**
 * Plans the next attempt of a delivery; an earlier plan ends. The caller has set its
 * `next_attempt_at` to the same time.
 */
export function planAttempt(world: LiveWorld, delivery: Readonly<Delivery>, at: number): void {
  // An operation that fails takes its records back, so nothing may be planned before its end.
  onCommit(() => {
    workOf(world).unschedule(delivery.id)
    const job = toJob(delivery, at)
    if (at <= world.clock.now()) queueDue(world, job)
    else schedule(world, job)
  })
}

/** Forgets the attempt that a delivery waits for. One that runs already goes on. */
export function cancelAttempt(world: LiveWorld, { id, webhook }: Readonly<Delivery>): void {
  onCommit(() => {
    const work = works.get(world)
    work?.unschedule(id)
    work?.queue?.remove(webhook, id)
  })
}

/** Gives up the deliveries that a webhook still waits for: it is disabled. */
export function failPending(world: LiveWorld, webhook: string): void {
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

/** Sends a delivery once more, because a user asks for it. */
export function sendAgain(
  world: LiveWorld,
  stored: CollectionStore<Delivery>,
  delivery: Readonly<Delivery>,
  now: number,
): Readonly<Delivery> {
  const dueAt = attemptDueAt(delivery) ?? Infinity
  // An attempt is on its way: the delivery starts again after it.
  if (dueAt <= now)
    return stored.amend(delivery, { redeliveries: (delivery.redeliveries ?? 0) + 1 })
  const pending = stored.amend(delivery, {
    status: 'pending',
    tries: 0,
    next_attempt_at: now,
  })
  planAttempt(world, pending, now)
  return pending
}

export function heldBackOf(world: LiveWorld): HeldBack {
  return workOf(world).heldBack
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
    // What runs stores its own failure. What waited for its turn fails without being sent.
    const dropped = work.queue.end(new TransportClosedError('No answer'))
    work.queue = undefined
    failJobs(world, dropped, new TransportClosedError('Not sent'))
  },
  written(world, collection, record) {
    if (collection === webhooks.name && !(record as Webhook).enabled)
      failPending(world, (record as Webhook).id)
  },
  resume(world) {
    const now = world.clock.now()
    for (const delivery of world.collection(deliveries).all()) {
      const at = attemptDueAt(delivery)
      if (at !== undefined && at <= now) queueDue(world, toJob(delivery, at))
    }
  },
}

export const pendingDeliveries = definePendingWork({
  collection: deliveries,
  isWaiting: ({ status }) => status === 'pending',
  dueAt: attemptDueAt,
  finish: planAttempt,
  describe: describeAttempt,
})

/** The time of the attempt that a delivery waits for. */
function attemptDueAt({ status, next_attempt_at }: Readonly<Delivery>): number | undefined {
  if (status !== 'pending') return undefined
  return next_attempt_at ?? undefined
}

/**
 * Returns whether a delivery still waits for its attempt of this time. Since that was planned, it
 * may have been deleted, cancelled, or moved to another time.
 */
function isWaitingFor(
  at: number,
  delivery: Readonly<Delivery> | undefined,
): delivery is Readonly<Delivery> {
  return delivery !== undefined && attemptDueAt(delivery) === at
}

function describeAttempt({ id, type, webhook, tries }: Readonly<Delivery>): DueNote {
  let title = `${type} is sent to ${webhook}`
  if (tries > 0) title += ` again, attempt ${tries + 1}`
  return {
    kind: 'delivery',
    title,
    subject: {
      collection: deliveries.name,
      id,
    },
  }
}

/** The state of a world's deliveries that is in no record. */
class DeliveryWork {
  queue: DeliveryQueue | undefined
  /** Cancels the scheduled attempt of a delivery, by its id. */
  readonly scheduled = new Map<string, () => void>()
  readonly heldBack = new HeldBack()

  unschedule(delivery: string): void {
    this.scheduled.get(delivery)?.()
    this.scheduled.delete(delivery)
  }
}

const works = sharedByBuilds('deliveries', () => new WeakMap<LiveWorld, DeliveryWork>())

function workOf(world: LiveWorld): DeliveryWork {
  return cached(works, world, () => new DeliveryWork())
}

function toJob({ id: delivery, webhook, account }: Readonly<Delivery>, at: number): Job {
  return {
    delivery,
    webhook,
    account,
    at,
  }
}

/** Lets an attempt wait on the world's clock. */
function schedule(world: LiveWorld, job: Job): void {
  const { delivery } = job
  const { scheduled } = workOf(world)
  const cancel = world.schedule(
    job.at,
    () => {
      scheduled.delete(delivery)
      queueDue(world, job)
    },
    (at) => {
      const current = world.collection(deliveries).get(delivery)
      if (!isWaitingFor(at, current)) return []
      return [{ at, ...describeAttempt(current) }]
    },
  )
  scheduled.set(delivery, cancel)
}

/** Lets an attempt that is due wait for its turn: a webhook gets one request at a time. */
function queueDue(world: LiveWorld, job: Job): void {
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

/** Makes an attempt in its turn: what is to be sent is found, sent, and what came of it stored. */
async function makeAttempt(world: LiveWorld, job: Job, run: AttemptRun): Promise<void> {
  // The queue may call this in the middle of a move of the clock. All other work that is due by
  // then comes first, so the attempt begins after the move.
  await undefined
  const planned = findPlanned(world, job)
  if (!planned) return
  // The message is made as late as it is sent: its signature has the time and the secrets of then.
  const toRequest = () => ({
    ...toWebhookRequest(world, planned.webhook, planned.message),
    delivery: job.delivery,
  })
  const result = await sendAttempt(world, toRequest, run)
  // Time has passed: what fell due meanwhile happens first, as in a replay of a case, which does
  // all due work before an answer.
  world.catchUp()
  // The world was reset, so nobody has the delivery any more. A closed transport is an outcome.
  if (run.stopped && !(run.stopped instanceof TransportClosedError)) return
  world.clock.during(() => takeIn(world, job, planned, result))
}

/** What an attempt sends, and where to. */
interface PlannedAttempt {
  readonly delivery: Readonly<Delivery>
  readonly webhook: Readonly<Webhook>
  readonly message: WebhookMessage
}

/**
 * Returns what a job sends. The delivery may have changed while it waited for its turn: then another
 * job is for it, or none, and this one sends nothing.
 */
function findPlanned(world: LiveWorld, { delivery: id, at }: Job): PlannedAttempt | undefined {
  const delivery = world.collection(deliveries).get(id)
  if (!isWaitingFor(at, delivery)) return undefined
  const webhook = world.collection(webhooks).get(delivery.webhook)
  if (!webhook?.enabled) return undefined
  // A scenario may spoil the message, but only the first one: the retry is as it should be.
  const fault = delivery.attempts.length === 0 ? delivery.faults?.find(isWrongMessage) : undefined
  const message = {
    id: delivery.event,
    payload: delivery.payload,
    due: at,
    fault,
  }
  return {
    delivery,
    webhook,
    message,
  }
}

/** Takes in what came of an attempt: for a case, for the records, and for who watches. */
function takeIn(
  world: LiveWorld,
  { delivery: id, at }: Job,
  { delivery, webhook, message }: PlannedAttempt,
  { outcome, sent, isLast }: AttemptResult,
): void {
  // The answer is a change from outside, so a case keeps it.
  world.recordChange({ answer: { delivery: id, ...outcome } })
  // The delivery has an attempt more. The next one is planned, or it is over.
  const attempt = givenOf({
    at,
    ...outcome,
    fault: message.fault?.kind,
    sent,
  })
  const next = storeAttempt(world, id, attempt, isLast)
  // Listeners hear of it when the records already say the same.
  world.template.notify({
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
    next,
  })
  // Deliveries that a scenario held back waited for just this: a later one was sent.
  releaseHeldBack(world, webhook.id, id, at)
}

function isWrongMessage(fault: DeliveryFault): fault is NonNullable<WebhookMessage['fault']> {
  return fault.kind === 'stale-timestamp' || fault.kind === 'bad-signature'
}

function releaseHeldBack(world: LiveWorld, webhook: string, sent: string, at: number): void {
  const stored = world.collection(deliveries)
  for (const id of heldBackOf(world).release(webhook)) {
    const delivery = stored.get(id)
    if (id === sent || delivery?.status !== 'pending') continue
    planAttempt(world, stored.amend(delivery, { next_attempt_at: at }), at)
  }
}

function failJobs(world: LiveWorld, jobs: readonly Job[], { message: error }: Error): void {
  const stored = world.collection(deliveries)
  for (const { delivery: id, at } of jobs)
    if (isWaitingFor(at, stored.get(id)))
      storeAttempt(
        world,
        id,
        {
          at,
          status: null,
          error,
          latency: 0,
          response: null,
        },
        true,
      )
}

/** The most attempts that a delivery keeps; beyond it, the oldest are forgotten. */
const maxAttempts = 100

/** Stores an attempt, and plans the one that follows. Returns its time; `null` without one. */
function storeAttempt(
  world: LiveWorld,
  id: string,
  attempt: Attempt,
  isLast: boolean,
): number | null {
  const stored = world.collection(deliveries)
  const before = stored.get(id)
  // Somebody deleted it during the attempt.
  if (!before) return null
  const { webhook } = before
  // A receiver that is gone for good disables its webhook.
  const disables =
    attempt.status === 410 &&
    assumptionValue(world.effectiveSettings, 'webhooks.gone') === 'disable'
  const { changes, planFor } = judgeAttempt(before, attempt, {
    now: world.clock.now(),
    isOver: disables || isLast || !world.collection(webhooks).get(webhook)?.enabled,
    delay: delayAfter(world, before.tries + 1),
  })
  stored.change(id, {
    attempts: [...before.attempts, attempt].slice(-maxAttempts),
    ...changes,
  })
  if (disables) {
    world.collection(webhooks).update(webhook, {
      enabled: false,
      updated_at: attempt.at,
    })
    failPending(world, webhook)
  }
  if (planFor !== null) planAttempt(world, before, planFor)
  return planFor
}

/**
 * The deliveries of a world that wait until a later one to the same webhook was sent. No record has
 * this: after a restore they wait only for their time.
 */
export class HeldBack {
  readonly #byWebhook = new Map<string, Set<string>>()

  add({ id, webhook }: Readonly<Delivery>): void {
    this.#byWebhook.set(webhook, (this.#byWebhook.get(webhook) ?? new Set()).add(id))
  }

  isHolding(webhook: string): boolean {
    return this.#byWebhook.has(webhook)
  }

  /** Ends the wait at a webhook, and returns the ids of the deliveries that waited. */
  release(webhook: string): Iterable<string> {
    const ids = this.#byWebhook.get(webhook) ?? []
    this.#byWebhook.delete(webhook)
    return ids
  }
}
