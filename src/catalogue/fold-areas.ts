import type { GreenhouseErrorCode } from '../core/text/error-codes.ts'
import { type AreaName, areaNames } from '../areas/event-types.ts'
import { accounts, keys, planNames, plans, scopes } from '../core/accounts/accounts.ts'
import { AssumptionRegistry, type Assumptions } from '../core/contract/assumptions.ts'
import type { JournalEntry } from '../core/journal/journal-entry.ts'
import { coreAssumptions } from '../core/pipeline/assumptions.ts'
import type { Area, Contract } from '../core/pipeline/area.ts'
import type { Service } from '../core/pipeline/service.ts'
import type { AnyCollection } from '../core/store/collection.ts'
import type { Change } from '../core/world/changes.ts'
import type { WorldEventListener } from '../core/world/live-world.ts'
import type { FixtureDocument } from '../fixtures/check.ts'
import type { InitialRecords } from '../fixtures/initial-records.ts'
import type { Fields } from '../core/text/values.ts'

/** One part of a catalogue: an area, or what a user adds to the areas. */
export interface AreaData extends Partial<
  Pick<Catalogue, 'scopes' | 'plans' | 'scenarios' | 'hooks' | 'fixtures'>
> {
  /** Areas, which replace those of the same names in earlier parts. */
  readonly areas?: readonly Area[]
  /**
   * The names of areas that are not served. Worlds keep their data, so that fixtures and scenarios
   * fit unchanged.
   */
  readonly omitted?: readonly string[]
  readonly collections?: Readonly<Record<string, AnyCollection>>
  readonly assumptions?: Assumptions
  readonly events?: Area['eventSchemas']
  readonly check?: Catalogue['check']
  /**
   * Returns the catalogue with a function `open` that adds the names of users to the lists in
   * schemas. It is in the part that adds names, so that a page without such a part does not load
   * it.
   */
  readonly lengthenLists?: (catalogue: Catalogue) => Catalogue
}

/** The areas of a Greenhouse with what a user adds to them, and everything derived from that. */
export interface Catalogue extends Contract {
  readonly parts: readonly AreaData[]
  readonly definitions: Readonly<Record<string, AnyCollection>>
  readonly deliveries: Area['deliveries']
  readonly scenarios: Fields
  readonly hooks: JoinedHooks
  readonly fixtures: readonly FixtureDocument[]
  /** Checks the first records. @throws RangeError for an operation that no key may call. */
  readonly check?: (catalogue: Catalogue, initialRecords: InitialRecords) => void
}

/** The hooks of all plug-ins, each as one function that never throws. */
export interface JoinedHooks {
  readonly onRequest?: Service['onRequest']
  readonly onReply?: (entry: JournalEntry) => void
  readonly onEvent?: WorldEventListener
  readonly onWorld?: (change: Change) => void
}

/**
 * Makes a catalogue of its parts.
 * @param base a catalogue to add the parts to. With nothing to add, it is returned itself, not a
 * copy: it is the key of several caches.
 */
export function foldAreas(added: readonly AreaData[], base?: Catalogue): Catalogue {
  if (base && added.length === 0) return base
  const parts = [...(base?.parts ?? []), ...added]
  const mergeMembers = (name: 'collections' | 'assumptions' | 'events' | 'scenarios' | 'hooks') =>
    Object.assign({}, ...parts.map((part) => part[name]))
  const joinNames = (name: 'scopes' | 'plans' | 'omitted', known: readonly string[] = []) => [
    ...new Set([...known, ...parts.flatMap((part) => part[name] ?? [])]),
  ]
  // In the order of the documentation: shortest base first.
  const allAreas = [
    ...new Map(parts.flatMap((part) => part.areas ?? []).map((area) => [area.name, area])).values(),
  ].sort((one, other) => one.base.length - other.base.length)
  const assumptionsOf = (isAtRoot: boolean) =>
    allAreas.filter(({ base }) => (base === '') === isAtRoot).map(({ assumptions }) => assumptions)
  const omitted = joinNames('omitted')
  const addedEvents: Area['eventSchemas'] = mergeMembers('events')
  const areas = allAreas
    .filter(({ name }) => !omitted.includes(name))
    // The schemas of added events belong to the area that delivers events.
    .map((area) => {
      if (area.deliveries)
        return {
          ...area,
          eventSchemas: { ...area.eventSchemas, ...addedEvents },
        }
      return area
    })
  const definitions = Object.assign(
    { accounts, keys },
    ...allAreas.map(({ collections }) => collections),
    { plans },
    mergeMembers('collections'),
  )
  const catalogue: Catalogue = {
    parts,
    areas,
    operations: areas.flatMap(({ operations }) => operations),
    definitions,
    collections: Object.values(definitions),
    // In the order of the documentation, too: those of the core come after the area without a base.
    assumptionRegistry: new AssumptionRegistry(
      [
        ...assumptionsOf(true),
        coreAssumptions,
        ...assumptionsOf(false),
        mergeMembers('assumptions'),
      ],
      missingAreasHint(allAreas),
    ),
    scopes: joinNames('scopes', scopes),
    plans: joinNames('plans', planNames),
    eventTypes: [
      ...allAreas.flatMap(({ eventTypes = [] }) => eventTypes),
      ...Object.keys(addedEvents),
    ],
    open: (schema) => schema,
    missingAreasNote: missingAreasHint(areas),
    deliveries: allAreas.find(({ deliveries }) => deliveries)?.deliveries,
    scenarios: mergeMembers('scenarios'),
    hooks: mergeMembers('hooks'),
    fixtures: parts.flatMap((part) => part.fixtures ?? []),
    check: parts.find((part) => part.check)?.check,
  }
  return parts.find((part) => part.lengthenLists)?.lengthenLists?.(catalogue) ?? catalogue
}

export class MissingAreaError extends RangeError {
  override name = 'MissingAreaError'
  readonly code: GreenhouseErrorCode = 'GREENHOUSE_MISSING_AREA'

  constructor(what: string, area: string) {
    super(
      `Failed to ${what}: this Greenhouse does not have the area "${area}". The option "areas" takes '${area}'.`,
    )
  }
}

/** Returns the built-in areas that are not among these. */
export function missingAreas(areas: readonly Area[]): AreaName[] {
  return areaNames.filter((missing) => !areas.some(({ name }) => name === missing))
}

/** Says that the area of a path is not served; nothing if it is. */
export function explainMissingArea(areas: readonly Area[], path: string): string | undefined {
  // An area of yours is served, whatever else is.
  if (areas.some(({ base }) => base !== '' && `${path}/`.startsWith(`${base}/`))) return undefined
  const area = /^\/v1(\/|$)/.test(path) ? 'apps' : 'plants'
  if (missingAreas(areas).includes(area))
    return new MissingAreaError(`answer ${path}`, area).message
  return undefined
}

function missingAreasHint(areas: readonly Area[]): string {
  const hints = missingAreas(areas).map(
    (area) => ` This Greenhouse does not have the area "${area}".`,
  )
  return hints.join('')
}
