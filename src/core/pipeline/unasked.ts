import type { World } from '../world/world.ts'
import type { Exchange } from './exchange.ts'

/** A world as an operation sees it where no request asks: its own records and assumptions. */
export function unasked(world: World): Pick<Exchange, 'world' | 'collection' | 'assume'> {
  return {
    world,
    collection: (definition) => world.collection(definition),
    assume: (_assumptions, id) => world.overlay.assumptions.get(id)!,
  }
}
