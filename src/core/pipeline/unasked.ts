import type { CoreWorld } from '../world/world.ts'
import type { Exchange } from './exchange.ts'

/** Returns a world as operations see it, without a request: its own records and assumptions. */
export function unasked(world: CoreWorld): Pick<Exchange, 'world' | 'collection' | 'assume'> {
  return {
    world,
    collection: (definition) => world.collection(definition),
    assume: (_assumptions, id) => world.overlay.assumptions.get(id)!,
  }
}
