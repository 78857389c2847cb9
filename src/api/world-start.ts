import { assertOwned } from '../core/accounts/accounts.ts'
import { type CollectionDefinition, isRecordKey, type RecordKey } from '../core/store/collection.ts'
import {
  checkOptions,
  flag,
  list,
  object,
  type OptionRule,
  type RulesFor,
  scenarioList,
  time,
  wholeNumber,
} from '../core/contract/options.ts'
import type { RecordIndex } from '../core/store/record-index.ts'
import { type CollectionStore, createIndex } from '../core/store/records.ts'
import { quote, suggest } from '../core/text/messages.ts'
import type { OutsideChange } from '../core/world/changes.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import type { CoreWorldStart as CoreStart } from '../core/world/world-template.ts'
import { type Catalogue, MissingAreaError, missingCollections } from './assembly/make-catalogue.ts'
import { describeMissing, type StartRecords, toPublicRecords, type WorldRecords } from './records.ts'
import type { AssumptionChoices, ScenarioChoice } from './types/names.ts'

/** How a world starts. An absent field takes its value from the options of `createGreenhouse`. */
export interface WorldStart {
  /** The seed of all random values: ids, and which requests a scenario with a probability changes. */
  readonly seed?: number | undefined
  /** Where the clock starts: ISO 8601, or milliseconds since 1970. */
  readonly now?: string | number | undefined
  /** Whether the clock stands still, until `clock.run()`. */
  readonly frozen?: boolean | undefined
  /** The active scenarios, instead of those of `createGreenhouse`. */
  readonly scenarios?: readonly ScenarioChoice[] | undefined
  /** Assumptions by id. Others keep their value. */
  readonly assumptions?: AssumptionChoices | undefined
  /** The records of these collections, instead of the fixtures. Other collections start from the fixtures. */
  readonly records?: StartRecords | undefined
}

/** Returns a function that resets a world. Nothing changes if the start is wrong. */
export function createReset(catalogue: Catalogue): (world: LiveWorld, given?: WorldStart) => void {
  const { definitions } = catalogue
  const below = Object.fromEntries(Object.keys(definitions).map((name) => [name, list('a list of records')]))
  for (const [name, area] of missingCollections(catalogue)) below[name] = missingAreaRule(area)
  const rules: RulesFor<WorldStart> = {
    seed: wholeNumber('a whole number'),
    frozen: flag,
    now: time,
    scenarios: scenarioList,
    assumptions: object('an object of assumptions by id, such as { "plants.delete.unknown": "204" }'),
    records: { ...object('an object of records by collection, such as { plants: [] }'), below },
  }
  return (world, given = {}) => {
    checkOptions('world.reset', given, rules)
    reset(world, given, definitions)
  }
}

function missingAreaRule(area: string): OptionRule {
  return { takes: `nothing, because this Greenhouse does not have the area "${area}"`, accepts: () => false }
}

/** @throws RangeError or TypeError for a wrong field or record; DataMemoryError for too many records. */
function reset(
  world: LiveWorld,
  given: WorldStart,
  definitions: Readonly<Record<string, CollectionDefinition<object>>>,
): void {
  const { records = {}, ...start } = given
  const named = Object.entries(records).filter(([, values]) => values !== undefined) as [string, readonly object[]][]
  const indexes = named.map(([name, values]) => [definitions[name]!, createIndex(definitions[name]!, values)] as const)
  const initialRecordsOf = <T extends object>(definition: CollectionDefinition<T>) =>
    (indexes.find(([{ name }]) => name === definition.name)?.[1] ??
      world.initialRecordsOf(definition)) as RecordIndex<T>
  const owners = { collection: initialRecordsOf }
  for (const [definition, index] of indexes) assertOwned(owners, definition, index.all())
  const bytes = indexes.reduce((sum, [, index]) => sum + index.bytes, 0)
  world.memory.reserve(bytes - world.memory.used)
  world.reset(start as CoreStart, false, initialRecordsOf)
  for (const [definition, index] of indexes) world.put(definition, index)
}

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
        toPublicRecords(find<object>(definition), {
          check: (record) => assertRelated(world, catalogue, definition, record),
          written(record, before) {
            if (find(definition) !== world.collection(definition)) return
            world.awaitRecord<object>(definition, record, before)
            recordChange({ put: { collection: name, record } })
          },
          deleted: (key) => recordChange({ remove: { collection: name, key } }),
          replaced: (all) => recordChange({ replace: { collection: name, records: all } }),
        }),
    })
  for (const [name, area] of missingCollections(catalogue))
    Object.defineProperty(records, name, {
      get() {
        throw new MissingAreaError(`read world.records.${name}`, area)
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
  { definitions: known }: Catalogue,
  { name, isOwn, owner, refers }: CollectionDefinition<object>,
  record: object,
): void {
  for (const [field, target] of Object.entries({ ...(owner && { account: 'accounts' }), ...refers })) {
    const key = (record as Record<string, unknown>)[field]
    const others = known[target] && world.collection(known[target])
    // In a built-in record a number has the wrong type, which the schema reports.
    if (!(isOwn ? isRecordKey(key) : typeof key === 'string') || !others || others.get(key as RecordKey)) continue
    const what = target === 'accounts' ? 'account' : `record of "${target}"`
    throw new TypeError(`Failed to store a record of "${name}": ${describeMissing(what, key as RecordKey, others)}`)
  }
}
