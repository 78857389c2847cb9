import { isSame } from '../../core/store/is-same.ts'
import type { RecordDifference } from '../../core/store/record-index.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import { allCollections, type Collection } from './collections.ts'

export interface CollectionChanges {
  readonly definition: Collection
  /** In no particular order; iterate once. May include records that were changed back. */
  readonly changes: Iterable<RecordDifference<object>>
}

export function changesSince(world: LiveWorld, snapshot: string): CollectionChanges[] {
  return allCollections(world).map((definition) => ({ definition, changes: world.changesSince(snapshot, definition) }))
}

export function differingFields(before: object, after: object): string[] {
  const [one, other] = [before, after] as Record<string, unknown>[]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isSame(one![name], other![name]),
  )
}
