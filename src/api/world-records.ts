import { quote, suggest } from '../core/text/messages.ts'
import { isRecordKey, type CollectionDefinition, type RecordKey } from '../core/store/collection.ts'
import type { CollectionStore } from '../core/store/records.ts'
import type { OutsideChange } from '../core/world/changes.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import type { Catalogue } from './assembly/make-catalogue.ts'
import { areaOfCollection, MissingAreaError, missingCollections } from './assembly/missing-areas.ts'
import { describeMissing, toPublicRecords, type WorldRecords } from './records.ts'

/**
 * Returns `world.records`: the collections by name. Throws for a misspelt name, and for one of an area that is not served.
 * @param seen finds the records that one request sees. Its writes belong to the request, so the world does not remember them.
 */
export function toWorldRecords(world: LiveWorld, catalogue: Catalogue, seen?: FindRecords): WorldRecords {
  const find: FindRecords = seen ?? ((definition) => world.collection(definition))
  const recordChange = (change: OutsideChange) => {
    if (!seen) world.recordChange(change)
  }
  const records = {}
  for (const [name, definition] of Object.entries(catalogue.definitions))
    Object.defineProperty(records, name, {
      enumerable: true,
      get: () =>
        toPublicRecords(find<object>(definition as never), {
          check: (record) => assertRelated(world, catalogue, definition as never, record),
          written(record, before) {
            if (find(definition) !== world.collection(definition)) return
            world.awaitRecord<object>(definition as never, record, before)
            recordChange({ put: { collection: name, record } })
          },
          deleted: (key) => recordChange({ remove: { collection: name, key } }),
          replaced: (all) => recordChange({ replace: { collection: name, records: all } }),
        }),
    })
  for (const name of missingCollections(catalogue))
    Object.defineProperty(records, name, {
      get() {
        throw new MissingAreaError(`read world.records.${name}`, areaOfCollection(name))
      },
    })
  return withKnownNames(records) as WorldRecords
}

type FindRecords = <T extends object>(definition: CollectionDefinition<T>) => CollectionStore<T>

/** Makes a misspelt collection throw, such as `records.plant`. Ignores other unknown names, which test frameworks may read. */
function withKnownNames(records: object): object {
  const names = Object.getOwnPropertyNames(records)
  return new Proxy(records, {
    get(target, name, receiver) {
      const hint = typeof name === 'string' && !(name in target) ? suggest(name, names) : ''
      if (hint !== '') throw new TypeError(`There are no records called ${quote(String(name))}.${hint}`)
      return Reflect.get(target, name, receiver)
    },
  })
}

function assertRelated(
  world: LiveWorld,
  { definitions }: Catalogue,
  { name, isOwn, owner, refers }: CollectionDefinition<object>,
  record: object,
): void {
  const known = definitions as unknown as Readonly<Record<string, CollectionDefinition<object>>>
  for (const [field, target] of Object.entries({ ...(owner && { account: 'accounts' }), ...refers })) {
    const key = (record as Record<string, unknown>)[field]
    const others = known[target] && world.collection(known[target])
    // In a built-in record a number has the wrong type, which the schema reports.
    if (!(isOwn ? isRecordKey(key) : typeof key === 'string') || !others || others.get(key as RecordKey)) continue
    const what = target === 'accounts' ? 'account' : `record of "${target}"`
    throw new TypeError(`Failed to store a record of "${name}": ${describeMissing(what, key as RecordKey, others)}`)
  }
}
