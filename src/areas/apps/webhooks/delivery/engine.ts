import { sharedByBuilds } from '../../../../core/contract/across-builds.ts'
import { printFailure } from '../../../../core/contract/errors.ts'
import { TransportClosedError } from '../../../../core/http/webhook-transport.ts'
import type { CollectionStore } from '../../../../core/store/records.ts'
import { onCommit } from '../../../../core/store/transaction.ts'
import type { DueNote } from '../../../../core/time/clock.ts'
import type { AreaLifecycle, CoreWorld } from '../../../../core/world/world.ts'
import { definePendingWork } from '../../../../core/world/pending.ts'
import { deliveries, type Delivery, type Webhook, webhooks } from '../schemas.ts'
import { type AttemptScheduler, cancelPending, failJobs, makeAttempt } from './attempt.ts'
import { clearHeldBack, DeliveryQueue, type Job } from './queue.ts'

const queues = sharedByBuilds('delivery-queues', () => new WeakMap<CoreWorld, DeliveryQueue>())

const scheduled = sharedByBuilds('scheduled-deliveries', () => new WeakMap<CoreWorld, Map<string, () => void>>())

export function enqueue(world: CoreWorld, job: Job): void {
  onCommit(() => enqueueNow(world, job))
}

function enqueueNow(world: CoreWorld, job: Job): void {
  const { delivery } = job
  let waiting = scheduled.get(world)
  waiting?.get(delivery)?.()
  waiting?.delete(delivery)
  if (job.at <= world.clock.now()) return queueAttempt(world, job)
  if (!waiting) scheduled.set(world, (waiting = new Map()))
  const cancel = world.schedule(
    job.at,
    () => {
      waiting.delete(delivery)
      queueAttempt(world, job)
    },
    (at) => {
      const current = world.collection(deliveries).get(delivery)
      return current && attemptDueAt(current) === at ? [{ at, ...describeAttempt(current) }] : []
    },
  )
  waiting.set(delivery, cancel)
}

export function cancelAttempt(world: CoreWorld, { id, webhook }: Pick<Delivery, 'id' | 'webhook'>): void {
  onCommit(() => {
    const waiting = scheduled.get(world)
    waiting?.get(id)?.()
    waiting?.delete(id)
    queues.get(world)?.remove(webhook, id)
  })
}

function queueAttempt(world: CoreWorld, job: Job): void {
  const done = queueOf(world).add(job)
  if (done) world.background.add(done)
}

function queueOf(world: CoreWorld): DeliveryQueue {
  let queue = queues.get(world)
  if (!queue) {
    const engine = engineOf(world)
    queue = new DeliveryQueue((job, run) => makeAttempt(world, job, run, engine).catch(report))
    queues.set(world, queue)
  }
  return queue
}

function engineOf(world: CoreWorld): AttemptScheduler {
  return { enqueue: (next) => enqueue(world, next), forget: (delivery) => cancelAttempt(world, delivery) }
}

/** @param toReason makes the error: its stack costs more than the rest, and few worlds have a queue. */
function endQueue(world: CoreWorld, toReason: () => Error): Job[] {
  const queue = queues.get(world)
  queues.delete(world)
  return queue?.end(toReason()) ?? []
}

function report(error: unknown): void {
  printFailure('Greenhouse failed to deliver to a webhook:', error)
}

export const deliveryLifecycle: AreaLifecycle = {
  stop(world) {
    clearHeldBack(world)
    scheduled.delete(world)
    endQueue(world, () => new Error('The world was reset.'))
  },
  disconnect(world) {
    const dropped = endQueue(world, () => new TransportClosedError('No answer'))
    failJobs(world, dropped, new TransportClosedError('Not sent'), engineOf(world))
  },
  written(world, collection, record) {
    if (collection !== webhooks.name || (record as Webhook).enabled) return
    cancelPending(world, (record as Webhook).id, (delivery) => cancelAttempt(world, delivery))
  },
  resume(world) {
    const now = world.clock.now()
    for (const delivery of world.collection(deliveries).all()) {
      const { id, webhook, account } = delivery
      const at = attemptDueAt(delivery) ?? Infinity
      if (at <= now) queueAttempt(world, { delivery: id, webhook, account, at })
    }
  },
}

export const pendingDeliveries = definePendingWork({
  collection: deliveries,
  isWaiting: ({ status }) => status === 'pending',
  dueAt: attemptDueAt,
  finish(world, { id, webhook, account }, at) {
    enqueue(world, { delivery: id, webhook, account, at })
  },
  describe: describeAttempt,
})

function attemptDueAt({ status, next_attempt_at }: Readonly<Delivery>): number | undefined {
  return status === 'pending' ? (next_attempt_at ?? undefined) : undefined
}

function describeAttempt({ id, type, webhook, tries }: Readonly<Delivery>): DueNote {
  const title = `${type} is sent to ${webhook}${tries === 0 ? '' : ` again, attempt ${tries + 1}`}`
  return { kind: 'delivery', title, subject: { collection: deliveries.name, id } }
}

export function sendAgain(
  world: CoreWorld,
  stored: Pick<CollectionStore<Delivery>, 'update'>,
  { id, webhook, account, status, next_attempt_at, redeliveries = 0 }: Readonly<Delivery>,
  now: number,
): Readonly<Delivery> {
  const isDue = status === 'pending' && next_attempt_at !== null && next_attempt_at <= now
  const pending = stored.update(
    id,
    isDue ? { redeliveries: redeliveries + 1 } : { status: 'pending', tries: 0, next_attempt_at: now },
  )
  if (!isDue) enqueue(world, { delivery: id, webhook, account, at: now })
  return pending!
}
