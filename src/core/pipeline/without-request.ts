import type { CoreWorld } from '../world/world.ts'
import type { Exchange } from './exchange.ts'

export function withoutRequest(world: CoreWorld): Pick<Exchange, 'world' | 'collection' | 'assume'> {
  return {
    world,
    collection: (definition) => world.collection(definition),
    assume: (_assumptions, id) => world.overlay.assumptions.get(id)!,
  }
}
