import { type AreaName, areaNames } from '../../areas/event-types.ts'
import { cached } from '../../core/contract/across-builds.ts'
import { withCallerStack, checkOptions, givenOf, rejectSecond } from '../../core/contract/options.ts'
import { quote, suggest } from '../../core/text/messages.ts'
import { journal } from '../../core/journal/journal.ts'
import { createRequestValidator } from '../../core/pipeline/validate/index.ts'
import { toTimestamp } from '../../core/time/time-text.ts'
import { fixtures } from '../../fixtures/bundled.ts'
import { scenarios } from '../../scenarios/language/part.ts'
import { assertCase } from '../../cases/format.ts'
import { cases } from '../../cases/part.ts'
import { toFixtures } from '../../cases/world-case.ts'
import type { Case } from '../../cases/generated/case.ts'
import type { Greenhouse, GreenhouseOptions } from '../greenhouse.ts'
import { type Additions, hooksRule, joinHooks } from '../../custom/definitions.ts'
import { withPlans } from '../../custom/open-names.ts'
import { AssembledGreenhouse } from './assemble.ts'
import { catalogue as builtIn } from './catalogue.ts'
import { type Catalogue, changeCatalogue } from './make-catalogue.ts'
import { greenhouseRules } from './options.ts'
import { type Hooks, type Parts, toExtended } from './template.ts'
import { webhookTools } from './webhook-tools.ts'

const everything: Parts = {
  catalogue: builtIn,
  fixtures,
  scenarios,
  journal: journal(),
  webhookTools,
  cases,
  createRequestValidator,
  leftOut: [],
}

/**
 * Creates a Greenhouse: both areas, in memory. It starts no server and reads no files. It runs in Node and in browsers.
 * @example
 * const greenhouse = createGreenhouse({ use: ['slow'], now: '2026-01-01T00:00:00Z' })
 * @throws DataError when fixtures or scenarios are wrong; RangeError for an unknown assumption or scenario, or an invalid time;
 * TypeError for an unknown option; Error when the environment lacks a global that Greenhouse needs, or when timers were faked
 * before this module was loaded.
 */
export function createGreenhouse(options: GreenhouseOptions = {}): Greenhouse {
  return withCallerStack(createGreenhouse, () => {
    rejectSecond('createGreenhouse', arguments, 'Put all options into one object.')
    return createWatchedGreenhouse(options)
  })
}

export function createFrom(catalogue: Catalogue, options: Pick<GreenhouseOptions, 'now' | 'assumptions'>): Greenhouse {
  return new AssembledGreenhouse({ ...everything, catalogue }, options)
}

export function createWatchedGreenhouse(all: GreenhouseOptions, internal?: Hooks): Greenhouse {
  checkOptions('createGreenhouse', all, greenhouseRules)
  const { case: given, ...options } = all
  const catalogue = toCatalogue(options)
  if (!given) return new AssembledGreenhouse({ ...everything, catalogue }, options, internal)
  assertCase(given)
  if (options.fixtures)
    throw new TypeError(
      'Failed to call createGreenhouse(): the option "case" says which records worlds start with. Leave out the option "fixtures", or write its records into start.records of the case.',
    )
  const { fixtures_at: initialRecordsAt, restarts } = given.start ?? {}
  const start = toStartOptions(given, catalogue)
  // The records of a case include those of plug-ins.
  const own = catalogue.fixtures.length > 0 ? { ...catalogue, fixtures: [] } : catalogue
  return new AssembledGreenhouse(
    { ...everything, catalogue: withAreas(withPlans(own, [start.fixtures]), options.areas) },
    { ...start, ...givenOf(options) },
    {
      ...internal,
      restarts,
      ...(initialRecordsAt !== undefined && { initialRecordsAt: toTimestamp(initialRecordsAt) }),
    },
  )
}

/** Returns the areas to serve with what the options add to them, and with the plans of fixtures. @throws TypeError, RangeError for additions that do not fit. */
export function toCatalogue(
  options: Additions & Pick<GreenhouseOptions, 'areas'> & { readonly fixtures?: unknown },
): Catalogue {
  const { areas, hooks, plans = [], fixtures } = options
  if (hooks) checkOptions('createGreenhouse', { hooks }, { hooks: hooksRule })
  let catalogue = toExtended(builtIn, options)
  // Without a change, the catalogue stays itself, which is the key of several caches.
  if (hooks && catalogue === builtIn) catalogue = { ...builtIn, hooks: joinHooks([hooks]) }
  const own = { file: 'the option "plans"', data: { plans }, isChange: true }
  if (plans.length > 0) catalogue = { ...catalogue, fixtures: [...catalogue.fixtures, own] }
  return withAreas(withPlans(catalogue, [fixtures, own.data]), areas)
}

function toStartOptions({ start = {}, made }: Case, known: Pick<Catalogue, 'collections'>): GreenhouseOptions {
  const { records, own_scenarios, assumptions, scenarios, settings, seed, now, frozen } = start
  const fixtures = records && toFixtures(records, known, made === undefined)
  const options = { seed, now, frozen, assumptions, scenarios: own_scenarios, use: scenarios, fixtures }
  return { ...(givenOf(options) as GreenhouseOptions), ...settings }
}

const servedBy = new WeakMap<Catalogue, Map<string, Catalogue>>()

/**
 * Returns a catalogue that serves only the named built-in areas, and all areas of plug-ins. Its worlds keep the data of both, so
 * fixtures and scenarios fit unchanged. @throws RangeError for an unknown area, or none
 */
function withAreas(catalogue: Catalogue, names: readonly AreaName[] | undefined): Catalogue {
  if (!names) return catalogue
  if (names.length === 0) throw new RangeError('Failed to serve no area: expected "plants", "apps" or both.')
  for (const name of names)
    if (!areaNames.includes(name))
      throw new RangeError(
        `Failed to serve the area ${quote(String(name))}: expected "plants" or "apps".${suggest(String(name), areaNames)}`,
      )
  const omitted: readonly string[] = areaNames.filter((name) => !names.includes(name))
  const known = servedBy.get(catalogue) ?? new Map<string, Catalogue>()
  servedBy.set(catalogue, known)
  return cached(known, areaNames.length + 1, omitted.join(), () =>
    changeCatalogue(catalogue, { areas: catalogue.areas.filter(({ name }) => !omitted.includes(name)) }),
  )
}
