import type { Random } from '../time/random.ts'
import type { CollectionStore } from './records.ts'

/** Returns an id that no record of a collection has. Imported records may have the ids that the seed would generate. */
export function newId<T extends object>(
  records: Pick<CollectionStore<T>, 'get'>,
  random: Random,
  prefix: string,
): string {
  let id: string
  do id = random.id(prefix)
  while (records.get(id) !== undefined)
  return id
}
