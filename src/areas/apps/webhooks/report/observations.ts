import { sharedByBuilds } from '../../../../core/definitions/across-builds.ts'
import type { CoreWorld } from '../../../../core/world/world.ts'
import { deliveries } from '../schemas/delivery.ts'
import type { Attempt } from '../schemas/attempt.ts'

export interface Observation extends Pick<Attempt, 'at' | 'status' | 'error' | 'latency' | 'response' | 'fault'> {
  readonly event: string
}

const examinations = sharedByBuilds(
  'receiver-exams',
  () => new WeakMap<CoreWorld, { readonly epoch: number; readonly seen: Map<string, Observation[]> }>(),
)

const maxObserved = 100

const maxExamined = 1_000

export function recordObservations(world: CoreWorld, webhook: string, observations: readonly Observation[]): void {
  let notes = examinations.get(world)
  if (notes?.epoch !== world.epoch) examinations.set(world, (notes = { epoch: world.epoch, seen: new Map() }))
  if (notes.seen.size >= maxExamined && !notes.seen.has(webhook)) notes.seen.delete(notes.seen.keys().next().value!)
  notes.seen.set(webhook, [...(notes.seen.get(webhook) ?? []), ...observations].slice(-maxObserved))
}

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
