import { accounts, keys } from '../core/accounts/accounts.ts'
import type { WebhookTransport } from '../core/http/webhook-transport.ts'
import { AssumptionRegistry } from '../core/definitions/assumptions.ts'
import { coreAssumptions } from '../core/pipeline/assumptions.ts'
import type { Contract } from '../core/pipeline/contract.ts'
import type { Area } from '../core/pipeline/operation.ts'
import type { CollectionDefinition } from '../core/store/collection.ts'
import { noteMissing } from './missing-areas.ts'

type AnyCollection = CollectionDefinition<never>

/** How deliveries to webhooks leave. */
export interface Deliveries {
  /** Makes what they leave through where nothing else carries them. */
  readonly createTransport: (hosts: readonly string[], isIntercepted: () => boolean) => WebhookTransport
  /** What they leave through once everything has closed: nothing. */
  readonly closedTransport: WebhookTransport
}

/** The part that serves one area: `plants` or `apps`. */
export interface AreaPart {
  /** `plants` or `apps`. */
  readonly name: string
  /** @internal */
  readonly area: Area
  /** Its records, by name. @internal */
  readonly collections: Readonly<Record<string, Pick<AnyCollection, 'name'>>>
  /** How deliveries to webhooks leave, where the area has them. @internal */
  readonly deliveries?: Deliveries
}

/** What a Greenhouse is made from: its areas, and all that they have. */
export interface Catalogue {
  /** The areas, the longest base first: the first one whose base fits a path is the right one. */
  readonly areas: readonly Area[]
  /** The collections that a world has, by name. */
  readonly definitions: Readonly<Record<string, AnyCollection>>
  /** The collections as a list. */
  readonly collections: readonly AnyCollection[]
  readonly assumptionRegistry: AssumptionRegistry
  /** What scenarios can name: areas, operations, collections, assumptions. */
  readonly contract: Contract
  readonly deliveries: Deliveries | undefined
}

/** Puts areas together, in the order of the documentation: the shortest base first. */
export function makeCatalogue(parts: readonly AreaPart[]): Catalogue {
  const sorted = parts.toSorted((one, other) => one.area.base.length - other.area.base.length)
  const areas = sorted.map(({ area }) => area)
  const definitions = Object.assign(
    { accounts, keys },
    ...sorted.map(({ collections }) => collections),
  ) as unknown as Catalogue['definitions']
  const collections = Object.values(definitions)
  const assumptionsBelow = (isAtRoot: boolean) =>
    areas.filter(({ base }) => (base === '') === isAtRoot).map(({ assumptions }) => assumptions)
  const assumptionRegistry = new AssumptionRegistry(
    [...assumptionsBelow(true), coreAssumptions, ...assumptionsBelow(false)],
    noteMissing({ areas }),
  )
  return {
    areas: areas.toReversed(),
    definitions,
    collections,
    assumptionRegistry,
    contract: { areas, operations: areas.flatMap(({ operations }) => operations), collections, assumptionRegistry },
    deliveries: sorted.find(({ deliveries }) => deliveries !== undefined)?.deliveries,
  }
}
