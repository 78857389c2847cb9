import type { Fixtures } from '../../fixtures/check.ts'
import { Seeds } from '../../fixtures/seeds.ts'
import { isSame } from '../../core/store/is-same.ts'
import { systemNow } from '../../core/time/clock.ts'
import { toTimestamp } from '../../core/time/time-text.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import type { CoreScenarioChoice } from '../../core/world/scenario-choice.ts'
import { allCollections } from '../inspect/collections.ts'
import { toFixtures } from './to-fixtures.ts'
import { toChoices } from './to-case.ts'
import type { Case } from './types.ts'

/** The largest difference of clocks that agree, in milliseconds. */
const tolerance = 1_000

/**
 * Gives a running world the state of a case: its records, clock, scenarios and assumptions. A clock that was not frozen has run
 * on since then. @throws RangeError for a scenario or an assumption that does not exist any more.
 */
export function applyState(world: LiveWorld, { start = {}, made }: Case, defaults: ReadonlyMap<string, string>): void {
  const { seed = world.seed, restarts = 0, now, frozen = false, scenarios = [], assumptions = {} } = start
  const at = now === undefined ? world.clock.now() : toTimestamp(now)
  const seededAt = start.fixtures_at === undefined ? at : toTimestamp(start.fixtures_at)
  if (!isSame(toChoices(world), scenarios)) world.useOnly(scenarios as CoreScenarioChoice[])
  const values = { ...Object.fromEntries(defaults), ...assumptions }
  if (!isSame(Object.fromEntries(world.overlay.assumptions), values)) world.assume(values)
  if (seed !== world.seed || restarts !== world.restarts) world.reseed(seed, restarts)
  const fixtures: Fixtures = toFixtures(start.records ?? {}, world)
  const seeds = new Seeds([fixtures], seededAt)
  for (const definition of allCollections(world)) {
    const index = seeds.of(definition)
    if (!isSame(world.collection(definition).all(), index.all())) world.put(definition, index)
  }
  // Comes last, so that the work that is due by then belongs to these records.
  const time = frozen || !made ? at : at + Math.max(0, systemNow() - toTimestamp(made.at))
  if (frozen) world.clock.freeze()
  else world.clock.run()
  if (frozen ? world.clock.now() !== time : Math.abs(world.clock.now() - time) > tolerance) world.clock.set(time)
}
