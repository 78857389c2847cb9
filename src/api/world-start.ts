import { codedError } from '../core/text/error-codes.ts'
import { assertOwned } from '../core/accounts/accounts.ts'
import type { CollectionDefinition } from '../core/store/collection.ts'
import {
  isObject,
  rejectSecond,
  throwAtCallSite,
  withKnownNames,
} from '../core/contract/options.ts'
import { checkArgument, list, type SchemasOf, section } from '../core/store/options.ts'
import type { RecordIndex } from '../core/store/record-index.ts'
import { type CollectionStore, createIndex, transact } from '../core/store/records.ts'
import type { OutsideChange } from '../core/world/changes.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import type { Catalogue } from '../catalogue/fold-areas.ts'
import { greenhouseSchemas } from './assembly/options.ts'
import type { NoNames, OwnNames } from '../catalogue/inferred-names.ts'
import {
  createMissingFinder,
  type Records,
  type StartRecords,
  type WorldRecords,
} from '../catalogue/records.ts'
import type { AssumptionChoices, ScenarioChoice } from './names.ts'

/** How a world starts. An absent field takes its value from the options of `createGreenhouse`. */
export interface WorldStart<Own extends OwnNames = NoNames> {
  /**
   * The seed of all random values: ids, and which requests a scenario with a probability changes.
   */
  readonly seed?: number | undefined
  /** Where the clock starts: ISO 8601, or milliseconds since 1970. */
  readonly now?: string | number | undefined
  /** True if the clock stands still, until `clock.run()`. */
  readonly frozen?: boolean | undefined
  /** The active scenarios, instead of those of `createGreenhouse`. */
  readonly scenarios?: readonly ScenarioChoice<Own>[] | undefined
  /** Assumptions by id. Others keep their value. */
  readonly assumptions?: AssumptionChoices | undefined
  /**
   * The records of these collections, instead of the fixtures. Other collections start from the
   * fixtures.
   */
  readonly records?: StartRecords<Own> | undefined
}

type Definitions = Catalogue['definitions']

/**
 * Resets a world. @throws RangeError or TypeError for a wrong field or record; DataMemoryError for
 * too many records.
 */
export function startAgain(
  world: LiveWorld,
  { records = {}, ...start }: WorldStart,
  definitions: Definitions,
): void {
  const indexes = Object.entries(records).flatMap(([name, values]) => {
    const definition = definitions[name]!
    if (values) return [{ definition, index: createIndex<object>(definition, values) }]
    return []
  })
  const initialRecordsOf = <T extends object>(definition: CollectionDefinition<T>) => {
    const own = indexes.find((one) => one.definition.name === definition.name)
    return (own?.index ?? world.initialRecordsOf(definition)) as RecordIndex<T>
  }
  for (const { definition, index } of indexes)
    assertOwned({ collection: initialRecordsOf }, definition, index.all())
  const bytes = indexes.reduce((sum, { index }) => sum + index.bytes, 0)
  world.memory.reserve(bytes - world.memory.used)
  world.reset(start, false, initialRecordsOf)
  for (const { definition, index } of indexes) world.put(definition, index)
}

/**
 * Returns `world.records`: the collections by name. Throws for a misspelt name.
 * @param seen finds the records that one request sees. Its writes belong to the request, so the
 * world does not remember them.
 */
export function toWorldRecords(world: LiveWorld, seen?: FindRecords): WorldRecords {
  const definitions = Object.fromEntries(
    world.collections.map((definition) => [definition.name, definition]),
  )
  const records = {}
  for (const [name, definition] of Object.entries(definitions))
    Object.defineProperty(records, name, {
      enumerable: true,
      get: () => toRecords(world, definition, seen),
    })
  return withKnownNames(records) as WorldRecords
}

function toRecords(
  world: LiveWorld,
  definition: CollectionDefinition<object>,
  seen: FindRecords | undefined,
): Records<object> {
  const { name } = definition
  const assertRelated = (
    record: object,
    findBefore?: () => object | undefined,
    findMissing = createMissingFinder({ world, definition }),
  ) => {
    const [missing] = findMissing(record, findBefore)
    if (missing)
      throw codedError(
        'GREENHOUSE_INVALID_RECORD',
        `Failed to store a record of "${name}": ${missing.message}`,
      )
  }
  const records = seen?.(definition) ?? world.collection(definition)
  const recordChange = (change: OutsideChange) => {
    if (!seen) world.recordChange(change)
  }
  const written = (record: object, before?: object) => {
    // A request may see other records than the world's.
    if (records !== world.collection(definition)) return
    world.awaitRecord(definition, record, before)
    recordChange({ put: { collection: name, record } })
  }
  const shown: Records<object> = {
    count: (matches) => records.count(matches),
    get: (key) => records.get(key),
    all: () => records.all(),
    find: (matches, options) => records.find(matches, options),
    create(values) {
      rejectSecond('create', arguments, 'Call it once for each record.')
      assertRelated(values)
      const record = records.create(values)
      written(record)
      return record
    },
    update(key, changes) {
      // Work that is due by now belongs to the record as it was.
      if (!seen) world.catchUp()
      const before = records.get(key)
      assertRelated(changes, () => before)
      const change = () => {
        const record = records.update(key, changes)
        if (record) written(record, before)
        return record
      }
      // The effects of the change happen at the same time, and with it or not at all.
      return world.clock.during(() => transact(change))
    },
    delete(key) {
      const existed = records.delete(key)
      if (existed) recordChange({ remove: { collection: name, key } })
      return existed
    },
    replace(values) {
      checkArgument('replace', 'the first argument', values, recordList)
      // The schema reports what is no object.
      const given = values.filter(isObject)
      const findMissing = createMissingFinder({ world, definition, together: given })
      for (const record of given)
        assertRelated(record, () => records.get(definition.key(record)), findMissing)
      records.replace(values)
      recordChange({ replace: { collection: name, records: records.all() } })
    },
  }
  return throwAtCallSite(shown, ['count', 'find', 'create', 'update', 'replace'])
}

const recordList = list('a list of records')

type FindRecords = <T extends object>(definition: CollectionDefinition<T>) => CollectionStore<T>

export function createStartSchemas(catalogue: Catalogue): SchemasOf<WorldStart> {
  const lists = Object.fromEntries(
    Object.keys(catalogue.definitions).map((name) => [name, recordList]),
  )
  const { seed, frozen, now, use: scenarios, assumptions } = greenhouseSchemas
  const records = section(lists, 'an object of records by collection, such as { plants: [] }')
  return { seed, frozen, now, scenarios, assumptions, records }
}
