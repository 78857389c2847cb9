import { isRecordKey, type RecordKey } from '../../core/store/collection.ts'
import { assertDeletable } from '../../core/store/records.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import { describeMissing } from '../missing-record.ts'
import { allCollections, collectionNamed, fieldOf, relationsOf, type Collection } from './collections.ts'

interface RecordFieldProblem {
  readonly field: string
  readonly message: string
}

export function findMissingRelations(
  world: LiveWorld,
  definition: Collection,
  record: object,
  fields: readonly string[] = Object.keys(record),
): RecordFieldProblem[] {
  return Object.entries(relationsOf(definition)).flatMap(([field, target]) => {
    const key = (record as Record<string, unknown>)[field]
    if (!fields.includes(field) || !isRecordKey(key)) return []
    const known = world.collection(collectionNamed(world, target)!)
    if (known.get(key)) return []
    const what = target === 'accounts' ? 'account' : `record of "${target}"`
    return [{ field, message: describeMissing(what, key, known) }]
  })
}

interface Dependents {
  readonly definition: Collection
  readonly field: string
  readonly size: number
}

export function findDependents(world: LiveWorld, definition: Collection, key: RecordKey): Dependents[] {
  return allCollections(world).flatMap((other) =>
    Object.entries(relationsOf(other))
      .filter(([, target]) => target === definition.name)
      .map(([field]) => ({ definition: other, field, size: referringRecords(world, other, field, key).length }))
      .filter(({ size }) => size > 0),
  )
}

/**
 * Deletes a record, and all records that refer to it, directly or indirectly. @throws TypeError for one that always exists; then
 * nothing has changed.
 */
export function removeWithDependents(world: LiveWorld, definition: Collection, key: RecordKey): void {
  assertDeletable(definition, key)
  for (const { definition: other, field } of findDependents(world, definition, key))
    for (const record of referringRecords(world, other, field, key))
      removeWithDependents(world, other, other.key(record))
  world.collection(definition).delete(key)
  world.remember({ remove: { collection: definition.name, key } })
}

function referringRecords(world: LiveWorld, definition: Collection, field: string, key: RecordKey): readonly object[] {
  const records = world.collection(definition)
  const text = String(key)
  if (definition.parent && fieldOf(definition.parent) === field) return records.partsOf(text).oldest(Infinity)
  if (definition.owner && fieldOf(definition.owner) === field) return records.ownedBy(text).oldest(Infinity)
  return records.all().filter((record) => {
    const other = (record as Record<string, unknown>)[field]
    return isRecordKey(other) && String(other) === text
  })
}
