import { definitions as all } from './catalogue.ts'
import { accounts } from '../core/accounts/accounts.ts'
import type { CollectionDefinition } from '../core/store/collection.ts'
import {
  checkOptions,
  list,
  object,
  scenarioList,
  time,
  wholeNumber,
  type OptionRules,
  type RulesFor,
} from '../core/definitions/options.ts'
import type { RecordIndex } from '../core/store/record-index.ts'
import { createIndex } from '../core/store/records.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import type { WorldStart as CoreStart } from '../core/world/origin.ts'
import type { AssumptionChoices, ScenarioChoice } from './names.ts'
import type { StartRecords } from './records.ts'

/** How a world starts. A field that is absent has the value that `createGreenhouse` got. */
export interface WorldStart {
  /** Decides everything random: ids, and which requests a scenario with a probability changes. */
  readonly seed?: number
  /** Where the clock starts: ISO 8601, or milliseconds since 1970. */
  readonly now?: string | number
  /** The scenarios that are active, in place of those of `createGreenhouse`. */
  readonly scenarios?: readonly ScenarioChoice[]
  /** Assumptions by id. Those that are not named keep their value. */
  readonly assumptions?: AssumptionChoices
  /** The records of these collections, in place of the fixtures. Other collections start from the fixtures. */
  readonly records?: StartRecords
}

const rules: RulesFor<WorldStart> = {
  seed: wholeNumber('a whole number'),
  now: time,
  scenarios: scenarioList,
  assumptions: object('an object of assumptions by id, such as { "plants.delete.unknown": "204" }'),
  records: {
    takes: 'an object of records by collection, such as { plants: [] }',
    accepts: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    below: Object.fromEntries(Object.keys(all).map((name) => [name, list('a list of records')])) satisfies OptionRules,
  },
}

const definitions = all as unknown as Record<keyof StartRecords, CollectionDefinition<object>>

/** Checks how a world is to start, and returns what starts it. @throws RangeError or TypeError for a wrong field or record; DataMemoryError for too many records. */
export function prepareStart(world: LiveWorld, given: WorldStart = {}): () => void {
  checkOptions('world.reset', given, rules)
  const { records = {}, ...start } = given
  const named = Object.entries(records).filter(([, values]) => values !== undefined) as [
    keyof StartRecords,
    readonly object[],
  ][]
  const indexes = named.map(([name, values]) => [definitions[name], createIndex(definitions[name], values)] as const)
  const owners = (indexes.find(([{ name }]) => name === 'accounts')?.[1] ??
    world.seedOf(accounts)) as RecordIndex<object>
  for (const [{ name, owner }, index] of indexes)
    for (const record of index.all()) {
      const account = owner?.(record)
      if (account !== undefined && !owners.get(account))
        throw new RangeError(`Failed to start with these ${name}: there is no account "${account}".`)
    }
  const bytes = indexes.reduce((sum, [, index]) => sum + index.bytes, 0)
  world.memory.reserve(bytes - world.memory.used)
  return () => {
    world.reset(start as CoreStart)
    for (const [definition, index] of indexes) world.put(definition, index)
  }
}
