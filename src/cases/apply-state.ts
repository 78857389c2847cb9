import { assertValid } from '../fixtures/part.ts'
import { InitialRecordSource } from '../fixtures/initial-records.ts'
import { isSame } from '../core/text/values.ts'
import { systemNow } from '../core/time/clock.ts'
import { lastTime, toTimestamp } from '../core/time/time-text.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import type { CoreScenarioChoice } from '../core/world/scenario-choice.ts'
import { allCollections } from '../api/inspect/collections.ts'
import { toFixtures } from './to-fixtures.ts'
import { toChoices } from './to-case.ts'
import type { Case } from './types.ts'

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
  if (!isSame(toChoices(world), scenarios)) world.useOnly(scenarios)
  if (!isSame(Object.fromEntries(world.effectiveSettings.assumptions), values)) world.assume(values)
  if (seed !== world.seed || restarts !== world.restarts) world.reseed(seed, restarts)
  // Comes last, so that the work that is due by then belongs to these records.
  if (frozen) world.clock.freeze()
  else world.clock.run()
  if (frozen ? world.clock.now() !== time : Math.abs(world.clock.now() - time) > tolerance) world.clock.set(time)
}
