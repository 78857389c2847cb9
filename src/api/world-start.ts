import { assertOwnersExist } from '../core/accounts/accounts.ts'
import type { CollectionDefinition } from '../core/store/collection.ts'
import { type SchemasOf, section } from '../core/store/options.ts'
import type { RecordIndex } from '../core/store/record-index.ts'
import { mapFields } from '../core/text/values.ts'
import { createIndex } from '../core/store/records.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import type { Catalogue } from '../catalogue/fold-areas.ts'
import { greenhouseSchemas } from './options.ts'
import type { NoNames, OwnNames } from '../catalogue/inferred-names.ts'
import { recordList, type StartRecords } from '../catalogue/records.ts'
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
    if (values)
      return [
        {
          definition,
          index: createIndex<object>(definition, values),
        },
      ]
    return []
  })
  const initialRecordsOf = <T extends object>(definition: CollectionDefinition<T>) => {
    const own = indexes.find((one) => one.definition.name === definition.name)
    return (own?.index ?? world.initialRecordsOf(definition)) as RecordIndex<T>
  }
  for (const { definition, index } of indexes)
    assertOwnersExist({ collection: initialRecordsOf }, definition, index.all())
  const bytes = indexes.reduce((sum, { index }) => sum + index.bytes, 0)
  world.memory.reserve(bytes - world.memory.used)
  world.life.reset(start, initialRecordsOf)
  for (const { definition, index } of indexes) world.put(definition, index)
}

export function createStartSchemas(catalogue: Catalogue): SchemasOf<WorldStart> {
  const lists = mapFields(catalogue.definitions, () => recordList)
  const { seed, frozen, now, use: scenarios, assumptions } = greenhouseSchemas
  const records = section(lists, 'an object of records by collection, such as { plants: [] }')
  return {
    seed,
    frozen,
    now,
    scenarios,
    assumptions,
    records,
  }
}
