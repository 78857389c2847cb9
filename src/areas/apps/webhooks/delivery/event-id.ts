import type { World } from '../../../../core/world/world.ts'
import { deliveries } from '../schemas/delivery.ts'

/** The event ids of deliveries that were imported last. */
const imported = new WeakMap<object, ReadonlySet<string>>()

/** Returns a new event id. Imported deliveries may have ids that the seed gives; those are skipped. */
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
