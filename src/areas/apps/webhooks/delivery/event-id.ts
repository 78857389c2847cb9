import type { World } from '../../../../core/world/world.ts'
import { deliveries } from '../schemas/delivery.ts'

/** The events that a world's deliveries were about when it last got them from somewhere else. */
const imported = new WeakMap<object, ReadonlySet<string>>()

/** Draws an id for an event. Deliveries that were imported may have those that the seed gives; they are skipped. */
export function newEventId(world: World): string {
  const stored = world.collection(deliveries)
  let taken = imported.get(stored.generation)
  if (!taken) imported.set(stored.generation, (taken = new Set(stored.all().map(({ event }) => event))))
  const random = world.onwardRandom('event')
  let id: string
  do id = random.id('evt')
  while (taken.has(id))
  return id
}
