import { systemNow } from '../../core/time/clock.ts'
import { activate } from '../../core/world/activate.ts'
import type { Changes } from '../../core/world/changes.ts'
import { toComparable } from '../../core/world/comparable.ts'
import { followAll } from '../../core/world/follow.ts'
import type { WorldOrigin } from '../../core/world/origin.ts'
import type { Worlds } from '../../core/world/worlds.ts'
import type { FixturePart } from '../../fixtures/part.ts'
import type { Greenhouse, GreenhouseOptions } from '../greenhouse.ts'
import { createOrigin, type OriginContext } from './create-origin.ts'
import { checkReload } from './options.ts'

interface Reloaded {
  readonly origin: WorldOrigin
  readonly worlds: Worlds
  readonly worldChanges: Changes
}

export function createReloader(
  context: OriginContext,
  options: GreenhouseOptions,
  { origin, worlds, worldChanges }: Reloaded,
): Pick<Greenhouse, 'reload'> & { readonly scenarios: NonNullable<GreenhouseOptions['scenarios']> } {
  const { parts } = context
  let data: Pick<GreenhouseOptions, 'fixtures' | 'scenarios' | 'assumptions'> = options
  return {
    get scenarios() {
      return data.scenarios ?? {}
    },
    reload(changes) {
      checkReload(changes)
      worlds.assertOpen()
      const { fixtures = data.fixtures, scenarios = data.scenarios, assumptions = data.assumptions } = changes
      const next: WorldOrigin = {
        ...origin,
        ...createOrigin(
          changes.fixtures ? context : { ...context, parts: { ...parts, fixtures: reuseFixtures(origin) } },
          { ...options, fixtures, scenarios, assumptions },
        ),
        hosts: origin.hosts,
      }
      for (const collection of parts.catalogue.collections) next.seedOf(collection)
      const callers = { name: 'default', collection: next.seedOf, seedOf: next.seedOf }
      for (const choice of next.scenarios) activate({ ...next, callers }, choice, next.now ?? systemNow(), next.seed)
      const formerSeedOf = origin.seedOf
      const changed = changedNames(data.scenarios ?? {}, scenarios ?? {})
      data = { fixtures, scenarios, assumptions }
      origin.library = next.library
      if (changes.assumptions) origin.overlay = next.overlay
      if (changes.fixtures) {
        origin.seedOf = next.seedOf
        origin.seededAt = next.seededAt
        origin.pendingSeeds = next.pendingSeeds
      }
      // Thousands of worlds would send more events than a reader can take.
      const kept = worldChanges.quietly(() => followAll(worlds.list(), formerSeedOf, origin.seedOf, changed))
      worldChanges.notify({ type: 'reload' })
      return kept
    },
  }
}

function reuseFixtures({ seedOf, pendingSeeds }: WorldOrigin): FixturePart {
  return { part: 'fixtures', check() {}, seeds: () => ({ of: seedOf, pending: pendingSeeds }) }
}

function changedNames(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Set<string> {
  return new Set(
    [...Object.keys(before), ...Object.keys(after)].filter(
      (name) => toComparable(before[name]) !== toComparable(after[name]),
    ),
  )
}
