import { sharedByBuilds } from '../../../../core/definitions/across-builds.ts'
import type { CoreWorld } from '../../../../core/world/world.ts'
import { deliveries } from '../schemas/delivery.ts'
import type { Attempt } from '../schemas/attempt.ts'

/** The answer of a receiver to one request. */
export interface Observation extends Pick<Attempt, 'at' | 'status' | 'error' | 'latency' | 'response' | 'fault'> {
  readonly event: string
}

/** The results of examinations, by webhook. They are dropped when the world's epoch changes. */
const examinations = sharedByBuilds(
  'receiver-exams',
  () => new WeakMap<CoreWorld, { readonly epoch: number; readonly seen: Map<string, Observation[]> }>(),
)

/** The most results per webhook: those of about 25 examinations. */
const maxObserved = 100

/** The most webhooks with results; beyond it, the oldest are dropped. */
const maxExamined = 1_000

/** Records the results of an examination. */
export function recordObservations(world: CoreWorld, webhook: string, observations: readonly Observation[]): void {
  let notes = examinations.get(world)
  if (notes?.epoch !== world.epoch) examinations.set(world, (notes = { epoch: world.epoch, seen: new Map() }))
  if (notes.seen.size >= maxExamined && !notes.seen.has(webhook)) notes.seen.delete(notes.seen.keys().next().value!)
  notes.seen.set(webhook, [...(notes.seen.get(webhook) ?? []), ...observations].slice(-maxObserved))
}

/** Returns all answers of a webhook's receiver, in order of time. */
export function observedOf(world: CoreWorld, webhook: string): Observation[] {
  const notes = examinations.get(world)
  const examined = notes?.epoch === world.epoch ? (notes.seen.get(webhook) ?? []) : []
  const delivered = world
    .collection(deliveries)
    .partsOf(webhook)
    .oldest(Infinity)
    .flatMap(({ event, attempts }) => attempts.map((attempt) => ({ event, ...attempt })))
  return [...delivered, ...examined].sort((one, other) => one.at - other.at)
}
