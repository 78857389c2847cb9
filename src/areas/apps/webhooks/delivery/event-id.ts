import type { CoreWorld } from '../../../../core/world/world.ts'
import { deliveries } from '../schemas/delivery.ts'

/** The event ids of the deliveries that the last import brought, by the records' `generation`. */
const imported = new WeakMap<object, ReadonlySet<string>>()

/** Returns a new event id. Skips ids of imported deliveries, which the seed may generate again. */
export function newEventId(world: CoreWorld): string {
  const stored = world.collection(deliveries)
  let taken = imported.get(stored.generation)
  if (!taken) imported.set(stored.generation, (taken = new Set(stored.all().map(({ event }) => event))))
  const random = world.onwardRandom('event')
  let id: string
  do id = random.id('evt')
  while (taken.has(id))
  return id
}
