import type { CollectionDefinition } from '../store/collection.ts'
import { toComparable } from './comparable.ts'
import type { Kept, WorldOrigin } from './origin.ts'
import type { LiveWorld } from './live-world.ts'

export function followAll(
  worlds: readonly LiveWorld[],
  formerSeedOf: WorldOrigin['seedOf'],
  seedOf: WorldOrigin['seedOf'],
  changed: ReadonlySet<string>,
): Kept {
  const differs = new Map<string, boolean>()
  const isOther = (collection: CollectionDefinition<never>) => {
    const { name } = collection
    if (!differs.has(name))
      differs.set(name, toComparable(formerSeedOf(collection).all()) !== toComparable(seedOf(collection).all()))
    return differs.get(name)!
  }
  const followed = worlds.map((world) => ({ world: world.name, ...world.follow(formerSeedOf, changed) }))
  return {
    scenarios: followed.flatMap(({ scenarios }) => scenarios),
    records: followed
      .map(({ world, collections }) => ({ world, collections: collections.filter(isOther).map(({ name }) => name) }))
      .filter((kept) => kept.collections.length > 0),
  }
}
