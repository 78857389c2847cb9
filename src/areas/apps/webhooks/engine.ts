import type { AreaLife } from '../../../core/operation.ts'
import type { World } from '../../../core/world.ts'
import { attempt } from './attempt.ts'
import { forgetHeld } from './hold.ts'
import { Lanes, type Job } from './lanes.ts'
import { deliveries } from './schemas.ts'

/** What is under way in a world: nothing of it outlives a reset or a restore. */
interface Engine {
  readonly lanes: Lanes
  readonly ended: AbortController
}

const engines = new WeakMap<World, Engine>()

/** Sees to it that an attempt is made once the clock shows its time. */
export function enqueue(world: World, job: Job): void {
  if (job.at > world.clock.now()) world.schedule(job.at, () => begin(world, job))
  else begin(world, job)
}

function begin(world: World, job: Job): void {
  const done = engineOf(world).lanes.add(job)
  if (done) world.background.errand(done)
}

function engineOf(world: World): Engine {
  let engine = engines.get(world)
  if (!engine) {
    const ended = new AbortController()
    engine = { ended, lanes: new Lanes((job) => attempt(world, job, ended.signal, (next) => enqueue(world, next)).catch(report)) }
    engines.set(world, engine)
  }
  return engine
}

function report(error: unknown): void {
  console.error('Greenhouse failed to deliver to a webhook:', error)
}

/** Ends deliveries with their world, and takes up those that a snapshot caught under way. */
export const deliveryLife: AreaLife = {
  halt(world) {
    forgetHeld(world)
    const engine = engines.get(world)
    if (!engine) return
    engines.delete(world)
    engine.lanes.end()
    engine.ended.abort()
  },
  resume(world) {
    const now = world.clock.now()
    for (const { id, webhook, status, next_attempt_at } of world.collection(deliveries).all())
      if (status === 'pending' && next_attempt_at !== null && next_attempt_at <= now) begin(world, { delivery: id, webhook, at: next_attempt_at })
  },
}
