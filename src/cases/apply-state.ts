import { assertValid, InitialRecordSource, asHeld } from '../fixtures/part.ts'
import { isSame } from '../core/text/values.ts'
import type { Catalogue } from '../api/assembly/make-catalogue.ts'
import { allCollections, type Collection, collectionNamed } from '../api/inspect/collections.ts'
import { describeProblem, quote } from '../core/text/messages.ts'
import { systemNow } from '../core/time/clock.ts'
import { lastTime, toTimestamp } from '../core/time/time-text.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import type { CoreScenarioChoice } from '../core/world/scenario-choice.ts'
import { bundledFixtures } from '../fixtures/bundled.ts'
import type { Fixtures } from '../fixtures/check.ts'
import { toChoices } from './to-case.ts'
import type { Case, CaseStart } from './generated/case.ts'

/** The largest difference of clocks that agree, in milliseconds. */
const tolerance = 1_000

/**
 * Gives a running world the state of a case: its records, clock, scenarios and assumptions. A clock that was not frozen has run
 * on since then. @throws DataError or RangeError for a state that does not fit this world; then nothing has changed.
 */
export function applyState(world: LiveWorld, { start = {}, made }: Case, defaults: ReadonlyMap<string, string>): void {
  const { seed = world.seed, restarts = 0, now, frozen = false, records = {}, assumptions = {} } = start
  const scenarios = (start.scenarios ?? []) as CoreScenarioChoice[]
  const at = now === undefined ? world.clock.now() : toTimestamp(now)
  const initialRecordsAt = start.fixtures_at === undefined ? at : toTimestamp(start.fixtures_at)
  const time = frozen || !made ? at : Math.min(lastTime, at + Math.max(0, systemNow() - toTimestamp(made.at)))
  const values = { ...Object.fromEntries(defaults), ...assumptions }
  const fixtures = toFixtures(records, world)
  assertValid([fixtures], world.collections)
  const initialRecords = new InitialRecordSource([fixtures], initialRecordsAt)
  world.assertStart({ now: time, scenarios, assumptions: values }, (definition) => initialRecords.of(definition))
  for (const definition of allCollections(world)) {
    const index = initialRecords.of(definition)
    if (!isSame(world.collection(definition).all(), index.all())) world.put(definition, index)
  }
  if (!isSame(toChoices(world), scenarios)) world.scenarios.use(scenarios, { isOnly: true })
  if (!isSame(Object.fromEntries(world.effectiveSettings.assumptions), values)) world.scenarios.assume(values)
  if (seed !== world.seed || restarts !== world.chance.restarts) world.reseed(seed, restarts)
  // Comes last, so that the work that is due by then belongs to these records.
  if (frozen) world.clock.freeze()
  else world.clock.run()
  if (frozen ? world.clock.now() !== time : Math.abs(world.clock.now() - time) > tolerance) world.clock.set(time)
}

export function toFixtures(
  differences: NonNullable<CaseStart['records']>,
  known: Pick<Catalogue, 'collections'>,
  isByHand = false,
): Fixtures {
  const merged: Record<string, unknown[]> = {}
  for (const document of bundledFixtures)
    for (const [name, values] of Object.entries(document)) merged[name] = [...(merged[name] ?? []), ...values]
  for (const [name, { replace, remove = [], put = [] }] of Object.entries(differences)) {
    const { key } = requireCollection(known, name)
    const keyOf = (value: unknown) => String(key(value as object))
    const gone = new Set(remove.map(String))
    const names = new Set((merged[name] ?? []).map(keyOf))
    const absent = isByHand ? [...gone].find((one) => !names.has(one)) : undefined
    if (absent !== undefined)
      throw new RangeError(
        `Failed to start with the case: ${describeProblem(`there is no record ${quote(absent)} in "${name}" to remove`, absent, [...names])}`,
      )
    const values = replace ? [...replace] : (merged[name] ?? []).filter((value) => !gone.has(keyOf(value)))
    const places = new Map(values.map((value, index) => [keyOf(value), index]))
    for (const record of put) {
      const index = places.get(keyOf(record)) ?? values.length
      places.set(keyOf(record), index)
      values[index] = record
    }
    merged[name] = values
  }
  return asHeld(merged, ([name, place, ...rest]) => {
    const value = merged[name as string]?.[place as number]
    for (const [kind, given] of Object.entries(differences[name as string] ?? {})) {
      const index = given.indexOf(value)
      if (index >= 0) return ['start', 'records', name!, kind, index, ...rest]
    }
    return [name!, place!, ...rest]
  })
}

export function requireCollection(known: Pick<Catalogue, 'collections'>, name: string): Collection {
  const found = collectionNamed(known, name)
  if (found) return found
  const names = allCollections(known).map((one) => one.name)
  throw new RangeError(describeProblem(`There is no collection ${quote(name)}`, name, names, true))
}
