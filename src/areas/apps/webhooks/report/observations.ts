import { sharedByBuilds } from '../../../../core/definitions/across-builds.ts'
import type { World } from '../../../../core/world/world.ts'
import { deliveries } from '../schemas/delivery.ts'
import type { Attempt } from '../schemas/attempt.ts'

/** What a receiver was seen to do with one request. */
export interface Observation extends Pick<Attempt, 'at' | 'status' | 'error' | 'latency' | 'response' | 'fault'> {
  readonly event: string
}

/** What examinations saw, by webhook; it ends with the world's epoch. */
const exams = sharedByBuilds(
  'receiver-exams',
  () => new WeakMap<World, { readonly epoch: number; readonly seen: Map<string, Observation[]> }>(),
)

/** How much of examinations is kept of a webhook: that of about 25. */
const mostObserved = 100

/** Of how many webhooks examinations are kept; past it those of the first are forgotten. */
const mostExamined = 1_000

/** Notes what an examination saw; it counts as no delivery. */
export function note(world: World, webhook: string, observations: readonly Observation[]): void {
  let notes = exams.get(world)
  if (notes?.epoch !== world.epoch) exams.set(world, (notes = { epoch: world.epoch, seen: new Map() }))
  if (notes.seen.size >= mostExamined && !notes.seen.has(webhook)) notes.seen.delete(notes.seen.keys().next().value!)
  notes.seen.set(webhook, [...(notes.seen.get(webhook) ?? []), ...observations].slice(-mostObserved))
}

/** All that was seen of a webhook's receiver, in the order of time. */
export function observedOf(world: World, webhook: string): Observation[] {
  const notes = exams.get(world)
  const examined = notes?.epoch === world.epoch ? (notes.seen.get(webhook) ?? []) : []
  const delivered = world
    .collection(deliveries)
    .partsOf(webhook)
    .oldest(Infinity)
    .flatMap(({ event, attempts }) => attempts.map((attempt) => ({ event, ...attempt })))
  return [...delivered, ...examined].sort((one, other) => one.at - other.at)
}
