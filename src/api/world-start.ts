import { assertOwned } from '../core/accounts/accounts.ts'
import type { CollectionDefinition } from '../core/store/collection.ts'
import {
  checkOptions,
  flag,
  list,
  object,
  scenarioList,
  time,
  wholeNumber,
  type OptionRule,
  type RulesFor,
} from '../core/contract/options.ts'
import type { RecordIndex } from '../core/store/record-index.ts'
import { createIndex } from '../core/store/records.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import type { CoreWorldStart as CoreStart } from '../core/world/world-template.ts'
import type { Catalogue } from './assembly/make-catalogue.ts'
import { areaOfCollection, missingCollections } from './assembly/missing-areas.ts'
import type { AssumptionChoices, ScenarioChoice } from './types/names.ts'
import type { StartRecords } from './records.ts'

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

/** Returns a function that checks a start for a world, and returns a function that applies it. */
export function createResetReader(catalogue: Catalogue): (world: LiveWorld, given?: WorldStart) => () => void {
  const { definitions } = catalogue
  const below = Object.fromEntries(Object.keys(definitions).map((name) => [name, list('a list of records')]))
  for (const name of missingCollections(catalogue)) below[name] = missingAreaRule(areaOfCollection(name))
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
    return prepareStart(world, given, definitions as unknown as Readonly<Record<string, CollectionDefinition<object>>>)
  }
}

/** Returns a rule that refuses records of a missing area. */
function missingAreaRule(area: string): OptionRule {
  return { takes: `nothing, because this Greenhouse does not have the area "${area}"`, accepts: () => false }
}

/**
 * Checks the start of a world, and returns a function that applies it. @throws RangeError or TypeError for a wrong
 * field or record; DataMemoryError for too many records.
 */
function prepareStart(
  world: LiveWorld,
  given: WorldStart,
  definitions: Readonly<Record<string, CollectionDefinition<object>>>,
): () => void {
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
  return () => {
    world.reset(start as CoreStart, false, initialRecordsOf)
    for (const [definition, index] of indexes) world.put(definition, index)
  }
}
