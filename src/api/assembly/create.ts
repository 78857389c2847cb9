import { codedError } from '../../core/text/error-codes.ts'
import { type AreaName, areaNames } from '../../areas/event-types.ts'
import { cached } from '../../core/contract/cache.ts'
import { withCallerStack, givenOf, rejectSecondArgument } from '../../core/contract/options.ts'
import { checkOptions } from '../../core/store/options.ts'
import { quote, suggest } from '../../core/text/messages.ts'
import { toTimestamp } from '../../core/time/time-text.ts'
import { fixtures } from '../../fixtures/bundled.ts'
import type { FixtureDocument } from '../../fixtures/check.ts'
import { assertCase } from '../../cases/format.ts'
import { toCaseFixtures } from '../../cases/start-from-case.ts'
import type { Case } from '../../cases/generated/case.ts'
import { Greenhouse } from '../greenhouse.ts'
import type {
  NamesOf,
  NamingOptions,
  NoNames,
  OwnNames,
  WrittenScenarios,
} from '../../catalogue/inferred-names.ts'
import type { Additions, OwnCollection, Plugin } from '../../custom/definitions.ts'
import { hooksSchema, joinHooks } from '../../custom/hooks.ts'
import { findPlans } from '../../custom/open-names.ts'
import { builtInCatalogue } from '../../catalogue/catalogue.ts'
import { type AreaData, type Catalogue, foldAreas } from '../../catalogue/fold-areas.ts'
import { type GreenhouseOptions, greenhouseSchemas } from '../options.ts'
import { findOwnArea, type Hooks, type Parts } from './template.ts'

const everything: Parts = {
  catalogue: builtInCatalogue,
  fixtures,
}

/**
 * Creates a Greenhouse: both areas, in memory. It starts no server and reads no files. It runs in
 * Node and in browsers.
 * @example
 * const greenhouse = createGreenhouse({ use: ['slow'], now: '2026-01-01T00:00:00Z' })
 * @throws DataError when fixtures or scenarios are wrong; RangeError for an unknown assumption or
 * scenario, or an invalid time; TypeError for an unknown option; Error when the environment lacks a
 * global that Greenhouse needs, or when timers were faked before this module was loaded.
 */
export function createGreenhouse<
  Scenarios extends WrittenScenarios = {},
  Collections extends readonly OwnCollection[] = [],
  Plugins extends readonly Plugin[] = [],
>(
  options: NamingOptions<Scenarios, Collections, Plugins> &
    GreenhouseOptions<NamesOf<NoInfer<Scenarios>, Collections, Plugins>> = {},
): Greenhouse<NamesOf<Scenarios, Collections, Plugins>> {
  return withCallerStack(createGreenhouse, () => {
    rejectSecondArgument('createGreenhouse', arguments, 'Put all options into one object.')
    return createWithHooks(options as GreenhouseOptions)
  })
}

export function createFrom(
  catalogue: Catalogue,
  options: Pick<GreenhouseOptions, 'now' | 'assumptions'>,
): Greenhouse {
  return new Greenhouse({ ...everything, catalogue }, options)
}

export function createWithHooks<Own extends OwnNames = NoNames>(
  all: GreenhouseOptions,
  internal?: Hooks,
): Greenhouse<Own> {
  checkOptions('createGreenhouse', all, greenhouseSchemas)
  const { case: given, ...options } = all
  const catalogue = toCatalogue(options)
  if (!given) return new Greenhouse({ ...everything, catalogue }, options, internal)
  return createFromCase(given, options, catalogue, internal)
}

/** An option wins over what the case says. */
function createFromCase<Own extends OwnNames>(
  given: Case,
  options: GreenhouseOptions,
  catalogue: Catalogue,
  internal: Hooks | undefined,
): Greenhouse<Own> {
  assertCase(given)
  if (options.fixtures)
    throw codedError(
      'GREENHOUSE_INVALID_ARGUMENT',
      'Failed to call createGreenhouse(): the option "case" says which records worlds start with. Leave out the option "fixtures", or write its records into start.records of the case.',
    )
  const { fixtures_at, restarts } = given.start ?? {}
  const start = toStartOptions(given, catalogue)
  const withoutRecords = withoutFixtures(catalogue)
  const plans = findPlans([{ data: start.fixtures }], withoutRecords)
  const parts = {
    ...everything,
    catalogue: foldAreas(plans, withoutRecords),
  }
  const initialRecordsAt = fixtures_at === undefined ? undefined : toTimestamp(fixtures_at)
  const hooks = {
    ...internal,
    restarts,
    initialRecordsAt,
  }
  return new Greenhouse(parts, { ...start, ...givenOf(options) }, hooks)
}

/** The records of a case include those of plug-ins. */
function withoutFixtures(catalogue: Catalogue): Catalogue {
  if (catalogue.fixtures.length === 0) return catalogue
  return foldAreas(
    catalogue.parts.map((part) => ({
      ...part,
      fixtures: [],
    })),
  )
}

/**
 * Returns the areas to serve with what the options add to them, and with the plans of fixtures.
 * @throws TypeError, RangeError for additions that do not fit.
 */
export function toCatalogue(
  options: Additions & Pick<GreenhouseOptions, 'areas'> & { readonly fixtures?: unknown },
): Catalogue {
  const { areas, hooks, plans = [], fixtures } = options
  if (hooks) checkOptions('createGreenhouse', { hooks }, { hooks: hooksSchema })
  const own: FixtureDocument = {
    file: 'the option "plans"',
    data: { plans },
    isChange: true,
  }
  const added: AreaData[] = []
  // The area of plug-ins joins them with its own.
  if (hooks) added.push({ hooks: joinHooks([hooks]) })
  added.push(...findOwnArea(options, builtInCatalogue))
  if (plans.length > 0) added.push({ fixtures: [own] })
  added.push(...findPlans([{ data: fixtures }, own], builtInCatalogue))
  const omitted = findOmitted(areas)
  if (omitted.length === 0) return foldAreas(added, builtInCatalogue)
  const fold = () => foldAreas([...added, { omitted }], builtInCatalogue)
  if (added.length > 0) return fold()
  return cached(foldedWithout, omitted.join(), fold, areaNames.length)
}

/** The names of the areas that are not served are the keys. */
const foldedWithout = new Map<string, Catalogue>()

/** @throws RangeError for an unknown area, or none */
function findOmitted(served: readonly AreaName[] = areaNames): readonly AreaName[] {
  if (served.length === 0)
    throw codedError(
      'GREENHOUSE_INVALID_VALUE',
      'Failed to serve no area: expected "plants", "apps" or both.',
    )
  for (const name of served)
    if (!areaNames.includes(name))
      throw codedError(
        'GREENHOUSE_UNKNOWN_NAME',
        `Failed to serve the area ${quote(String(name))}: expected "plants" or "apps".${suggest(String(name), areaNames)}`,
      )
  return areaNames.filter((name) => !served.includes(name))
}

function toStartOptions(
  { start = {}, made }: Case,
  known: Pick<Catalogue, 'collections'>,
): GreenhouseOptions {
  const { records, own_scenarios, assumptions, scenarios, settings, seed, now, frozen } = start
  const fixtures = records && toCaseFixtures(records, known, made === undefined)
  const options = {
    seed,
    now,
    frozen,
    assumptions,
    scenarios: own_scenarios,
    use: scenarios,
    fixtures,
  }
  return { ...(givenOf(options) as GreenhouseOptions), ...settings }
}
