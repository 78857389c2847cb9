import { accounts, keys, planNames, plans, scopes } from '../../core/accounts/accounts.ts'
import { AssumptionRegistry } from '../../core/contract/assumptions.ts'
import type { JournalEntry } from '../../core/journal/journal-entry.ts'
import { coreAssumptions } from '../../core/pipeline/assumptions.ts'
import type { Area, Contract } from '../../core/pipeline/operation.ts'
import type { Service } from '../../core/pipeline/dispatch.ts'
import type { AnyCollection } from '../../core/store/collection.ts'
import type { Change } from '../../core/world/changes.ts'
import type { WorldEventListener } from '../../core/world/world.ts'
import type { FixtureDocument } from '../../fixtures/check.ts'
import type { InitialRecords } from '../../fixtures/part.ts'
import type { RecordTypes } from '../records.ts'

/** The part that serves one area: `plants` or `apps`. */
export interface AreaPart {
  readonly name: string
  /** @internal */
  readonly area: Area
}

/** The areas of a Greenhouse with what a user adds to them, and everything derived from that. */
export interface Catalogue extends Contract {
  readonly definitions: Readonly<Record<string, AnyCollection>>
  readonly deliveries: Area['deliveries']
  readonly scenarios: Readonly<Record<string, unknown>>
  readonly hooks: JoinedHooks
  readonly fixtures: readonly FixtureDocument[]
  /** Checks the first records. @throws RangeError for an operation that no key may call. */
  readonly check?: (catalogue: Catalogue, initialRecords: InitialRecords) => void
}

/** The hooks of all plug-ins, each as one function that never throws. */
export interface JoinedHooks {
  readonly onRequest?: Service['onRequest']
  readonly onReply?: ((entry: JournalEntry) => void) | undefined
  readonly onEvent?: WorldEventListener | undefined
  readonly onWorld?: ((change: Change) => void) | undefined
}

type Declared = Omit<Catalogue, 'operations' | 'collections' | 'missing'>

export function makeCatalogue(parts: readonly AreaPart[]): Catalogue {
  const areas = inOrder(parts.map(({ area }) => area))
  const assumptionsOf = (isAtRoot: boolean) =>
    areas.filter(({ base }) => (base === '') === isAtRoot).map(({ assumptions }) => assumptions)
  return fold({
    areas,
    definitions: Object.assign({ accounts, keys }, ...areas.map(({ collections }) => collections), { plans }),
    assumptionRegistry: new AssumptionRegistry(
      [...assumptionsOf(true), coreAssumptions, ...assumptionsOf(false)],
      missingAreasHint({ areas }),
    ),
    scopes,
    plans: planNames,
    eventTypes: areas.flatMap(({ eventTypes = [] }) => eventTypes),
    open: (schema) => schema,
    deliveries: areas.find(({ deliveries }) => deliveries !== undefined)?.deliveries,
    scenarios: {},
    hooks: {},
    fixtures: [],
  })
}

export function changeCatalogue(catalogue: Catalogue, changes: Partial<Declared>): Catalogue {
  return fold({ ...catalogue, ...changes })
}

function fold(declared: Declared): Catalogue {
  const areas = inOrder(declared.areas)
  return {
    ...declared,
    areas,
    operations: areas.flatMap(({ operations }) => operations),
    collections: Object.values(declared.definitions),
    missing: missingAreasHint({ areas }),
  }
}

/** In the order of the documentation: shortest base first. */
function inOrder(areas: readonly Area[]): readonly Area[] {
  return areas.toSorted((one, other) => one.base.length - other.base.length)
}

const areaByCollection = {
  plants: 'plants',
  apps: 'apps',
  users: 'apps',
  conversations: 'apps',
  messages: 'apps',
  webhooks: 'apps',
  deliveries: 'apps',
  deployments: 'apps',
  subscriptions: 'apps',
  credits: 'apps',
  purchases: 'apps',
} satisfies Record<Exclude<keyof RecordTypes, 'plans' | 'accounts' | 'keys'>, string>

export class MissingAreaError extends RangeError {
  override name = 'MissingAreaError'

  constructor(what: string, area: string) {
    super(
      `Failed to ${what}: this Greenhouse does not have the area "${area}". The option "areas" takes '${area}', or what 'greenhouse-mock/${area}' exports.`,
    )
  }
}

interface WithAreas {
  readonly areas: readonly { readonly name: string }[]
}

const bases = { apps: '/v1', plants: '' }

export function missingAreas({ areas }: WithAreas): (keyof typeof bases)[] {
  return (Object.keys(bases) as (keyof typeof bases)[]).filter((area) => !areas.some(({ name }) => name === area))
}

export function createMissingAreaMessage(catalogue: WithAreas): ((path: string) => string | undefined) | undefined {
  const missing = missingAreas(catalogue)
  if (missing.length === 0) return undefined
  return (path) => {
    const area = path === bases.apps || path.startsWith(bases.apps + '/') ? 'apps' : 'plants'
    return missing.includes(area) ? new MissingAreaError(`answer ${path}`, area).message : undefined
  }
}

function missingAreasHint(catalogue: WithAreas): string {
  return missingAreas(catalogue)
    .map((area) => ` This Greenhouse does not have the area "${area}".`)
    .join('')
}

/** Returns the collections of areas that are not served: their names, with those of their areas. */
export function missingCollections({ definitions }: { readonly definitions: object }): [name: string, area: string][] {
  return Object.entries(areaByCollection).filter(([name]) => !Object.hasOwn(definitions, name))
}
