import { accounts, keys, planNames, plans, scopes } from '../../core/accounts/accounts.ts'
import type { WebhookTransport } from '../../core/http/webhook-transport.ts'
import { AssumptionRegistry, type Assumptions } from '../../core/contract/assumptions.ts'
import { coreAssumptions } from '../../core/pipeline/assumptions.ts'
import type { Area, Contract } from '../../core/pipeline/operation.ts'
import type { JournalEntry } from '../../core/journal/journal-entry.ts'
import type { Service } from '../../core/pipeline/dispatch.ts'
import type { Change } from '../../core/world/changes.ts'
import type { WorldEventListener } from '../../core/world/world.ts'
import type { AnyCollection } from '../../core/store/collection.ts'
import type { FixtureDocument } from '../../fixtures/check.ts'
import type { InitialRecords } from '../../fixtures/part.ts'
import type { RecordTypes } from '../records.ts'

/** The transport of webhook deliveries. */
interface DeliveryTransports {
  /** Creates the transport for a Greenhouse without a server. */
  readonly createTransport: (hosts: readonly string[], isIntercepted: () => boolean) => WebhookTransport
  /** The transport after all servers have closed: it refuses every delivery. */
  readonly closedTransport: WebhookTransport
}

/** The part that serves one area: `plants` or `apps`. */
export interface AreaPart {
  readonly name: string
  /** @internal */
  readonly area: Area
  /** The area's collections, by name. @internal */
  readonly collections: Readonly<Record<string, Pick<AnyCollection, 'name'>>>
  /** The transport of webhook deliveries, if the area has them. @internal */
  readonly deliveries?: DeliveryTransports
  /** The types of the events that it delivers. @internal */
  readonly eventTypes?: readonly string[]
}

/** The areas of a Greenhouse, and everything derived from them. */
export interface Catalogue {
  readonly parts: readonly AreaPart[]
  /** The areas, longest base first, so that the first base that matches a path is the right one. */
  readonly areas: readonly Area[]
  /** The collections that a world has, by name. */
  readonly definitions: Readonly<Record<string, AnyCollection>>
  readonly collections: readonly AnyCollection[]
  readonly assumptionRegistry: AssumptionRegistry
  /** The names that scenarios can refer to: areas, operations, collections, assumptions. */
  readonly contract: Contract
  readonly deliveries: DeliveryTransports | undefined
  /** What a user adds to the areas. */
  readonly custom: CustomCatalogue
}

/** What a user adds to the areas. */
interface CustomCatalogue {
  readonly collections: Readonly<Record<string, AnyCollection>>
  readonly assumptions: Assumptions
  /** All scopes, the built-in ones first. */
  readonly scopes: readonly string[]
  /** The names of all plans, the built-in ones first. */
  readonly plans: readonly string[]
  /** The types of the user's own events. */
  readonly eventTypes: readonly string[]
  readonly open: Contract['open']
  /** Scenarios of plug-ins, by name. */
  readonly scenarios: Readonly<Record<string, unknown>>
  /** The hooks of all plug-ins, each as one function that never throws. */
  readonly hooks: JoinedHooks
  /** Checks the first records. @throws RangeError for an operation that no key may call. */
  readonly check?: (initialRecords: InitialRecords) => void
  /** Records of plug-ins. */
  readonly fixtures: readonly FixtureDocument[]
}

/** The hooks of all plug-ins, each as one function that never throws. */
export interface JoinedHooks {
  readonly onRequest?: Service['onRequest']
  readonly onReply?: ((entry: JournalEntry) => void) | undefined
  readonly onEvent?: WorldEventListener | undefined
  readonly onWorld?: ((change: Change) => void) | undefined
}

const nothingCustom: CustomCatalogue = {
  collections: {},
  assumptions: {},
  scopes,
  plans: planNames,
  eventTypes: [],
  open: (same) => same,
  scenarios: {},
  hooks: {},
  fixtures: [],
}

/** Combines areas, in the order of the documentation: shortest base first. */
export function makeCatalogue(parts: readonly AreaPart[], custom: CustomCatalogue = nothingCustom): Catalogue {
  const sorted = parts.toSorted((one, other) => one.area.base.length - other.area.base.length)
  const areas = sorted.map(({ area }) => area)
  const definitions = Object.assign(
    { accounts, keys },
    ...sorted.map(({ collections }) => collections),
    { plans },
    custom.collections,
  ) as unknown as Catalogue['definitions']
  const collections = Object.values(definitions)
  const missing = missingAreasHint({ areas })
  const assumptionsBelow = (isAtRoot: boolean) =>
    areas.filter(({ base }) => (base === '') === isAtRoot).map(({ assumptions }) => assumptions)
  const assumptionRegistry = new AssumptionRegistry(
    [...assumptionsBelow(true), coreAssumptions, ...assumptionsBelow(false), custom.assumptions],
    missing,
  )
  return {
    parts,
    areas: areas.toReversed(),
    definitions,
    collections,
    assumptionRegistry,
    contract: {
      areas,
      operations: areas.flatMap(({ operations }) => operations),
      collections,
      assumptionRegistry,
      open: custom.open,
      scopes: custom.scopes,
      plans: custom.plans,
      missing,
      eventTypes: [...sorted.flatMap(({ eventTypes = [] }) => eventTypes), ...custom.eventTypes],
    },
    custom,
    deliveries: sorted.find(({ deliveries }) => deliveries !== undefined)?.deliveries,
  }
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

type AreaCollection = keyof typeof areaByCollection

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

export function missingAreasHint(catalogue: WithAreas): string {
  return missingAreas(catalogue)
    .map((area) => ` This Greenhouse does not have the area "${area}".`)
    .join('')
}

export function missingCollections({ definitions }: { readonly definitions: object }): AreaCollection[] {
  return (Object.keys(areaByCollection) as AreaCollection[]).filter((name) => !Object.hasOwn(definitions, name))
}

export function areaOfCollection(name: AreaCollection): string {
  return areaByCollection[name]
}
