import type { AreaLife } from '../../../core/operation.ts'
import { TransportClosedError } from '../../../core/webhook-transport.ts'
import type { World } from '../../../core/world.ts'
import { attempt, giveUp } from './attempt.ts'
import { forgetHeld } from './hold.ts'
import { DeliveryQueue, type Job } from './lanes.ts'
import { deliveries } from './schemas.ts'

/** What is under way in a world: nothing of it outlives a reset or a restore. */
const queues = new WeakMap<World, DeliveryQueue>()

/** Sees to it that an attempt is made once the clock shows its time. */
export function enqueue(world: World, job: Job): void {
  if (job.at > world.clock.now()) world.schedule(job.at, () => begin(world, job))
  else begin(world, job)
}

function begin(world: World, job: Job): void {
  const done = queueOf(world).add(job)
  if (done) world.background.errand(done)
}

function queueOf(world: World): DeliveryQueue {
  let queue = queues.get(world)
  if (!queue) {
    queue = new DeliveryQueue((job, run) => attempt(world, job, run, (next) => enqueue(world, next)).catch(report))
    queues.set(world, queue)
  }
  return queue
}

function endQueue(world: World, reason: Error): Job[] {
  const queue = queues.get(world)
  queues.delete(world)
  return queue?.end(reason) ?? []
}

function report(error: unknown): void {
  console.error('Greenhouse failed to deliver to a webhook:', error)
}

/** Ends deliveries with their world or with what carries them, and takes up those that a snapshot caught under way. */
export const deliveryLife: AreaLife = {
  halt(world) {
    forgetHeld(world)
    endQueue(world, new Error('The world began anew.'))
  },
  disconnect(world) {
    const dropped = endQueue(world, new TransportClosedError('No answer'))
    if (dropped.length > 0) world.background.errand(giveUp(world, dropped, new TransportClosedError('Not sent')))
  },
  resume(world) {
    const now = world.clock.now()
    for (const { id, webhook, account, status, next_attempt_at } of world.collection(deliveries).all())
      if (status === 'pending' && next_attempt_at !== null && next_attempt_at <= now) begin(world, { delivery: id, webhook, account, at: next_attempt_at })
  },
}
