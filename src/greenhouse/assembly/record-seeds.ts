import { accounts } from '../../core/accounts/accounts.ts'
import { assertOwned } from '../../core/accounts/known-callers.ts'
import { suggest } from '../../core/definitions/suggest.ts'
import type { CollectionDefinition } from '../../core/store/collection.ts'
import type { RecordIndex } from '../../core/store/record-index.ts'
import { createIndex } from '../../core/store/records.ts'
import { findPending } from '../../core/world/pending.ts'
import type { FixturePart } from '../../fixtures/part.ts'
import type { Catalogue } from './make-catalogue.ts'
import { areaOfCollection, MissingAreaError, missingCollections } from './missing-areas.ts'
import type { StartRecords } from '../records.ts'

export function createRecordSeeds(catalogue: Catalogue, given: StartRecords = {}): FixturePart {
  for (const name of missingCollections(catalogue))
    if (Object.hasOwn(given, name)) throw new MissingAreaError(`start with ${name}`, areaOfCollection(name))
  const records = given as Readonly<Record<string, readonly object[] | undefined>>
  const names = Object.keys(catalogue.definitions)
  for (const name of Object.keys(records))
    if (!names.includes(name))
      throw new TypeError(
        `Failed to start with "${name}": there is no such collection; expected one of ${names.join(', ')}.${suggest(name, names)}`,
      )
  const indexes = new Map<string, RecordIndex<never>>()
  const of = <T extends object>(definition: CollectionDefinition<T>) => {
    let index = indexes.get(definition.name) as unknown as RecordIndex<T> | undefined
    if (!index) {
      index = createIndex(definition, (records[definition.name] ?? []) as readonly T[], { isCounted: false })
      indexes.set(definition.name, index as unknown as RecordIndex<never>)
    }
    return index
  }
  assertOwnersExist(catalogue, of)
  return {
    part: 'fixtures',
    check(own) {
      if (own)
        throw new TypeError(
          'Failed to read fixtures: this Greenhouse has none. Give createGreenhouse the option "fixtures".',
        )
    },
    seeds: () => ({
      of,
      pending: (kinds) =>
        findPending(kinds, ({ collection, isWaiting }) =>
          of(collection)
            .all()
            .filter((record) => isWaiting(record)),
        ),
    }),
  }
}

function assertOwnersExist(
  { collections }: Catalogue,
  of: <T extends object>(definition: CollectionDefinition<T>) => RecordIndex<T>,
): void {
  // This checks the accounts, even if nothing belongs to them.
  of(accounts)
  for (const definition of collections as unknown as readonly CollectionDefinition<object>[])
    if (definition.owner) assertOwned({ collection: of }, definition, of(definition).all())
}
