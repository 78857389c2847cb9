import type { EventSamples } from '../areas/event-sample.ts'
import { accounts, keys } from '../core/accounts/accounts.ts'
import { AssumptionRegistry } from '../core/definitions/assumptions.ts'
import { coreAssumptions } from '../core/pipeline/assumptions.ts'
import type { Contract } from '../core/pipeline/contract.ts'
import type { Area } from '../core/pipeline/operation.ts'
import type { CollectionDefinition } from '../core/store/collection.ts'
import { noteMissing } from './missing-areas.ts'
import type { WebhookTools } from './webhook-tools.ts'

type AnyCollection = CollectionDefinition<never>

/** One of the two interfaces, with all that is its own. */
export interface AreaPart {
  /** `plants` or `apps`. */
  readonly name: string
  /** @internal */
  readonly area: Area
  /** Its records, by name. @internal */
  readonly collections: Readonly<Record<string, Pick<AnyCollection, 'name'>>>
  /** What each of its events tells where it is triggered and did not happen. @internal */
  readonly events: EventSamples
  /** What worlds do with webhooks, where the area has them. @internal */
  readonly webhooks?: WebhookTools
}

/** What a Greenhouse is made from: its areas, and all that they have. */
export interface Catalogue {
  /** The areas, the longest base first: the first one whose base fits a path is the right one. */
  readonly areas: readonly Area[]
  /** The collections that a world has, by name. */
  readonly definitions: Readonly<Record<string, AnyCollection>>
  /** The collections as a list. */
  readonly collections: readonly AnyCollection[]
  readonly eventSamples: EventSamples
  readonly assumptionRegistry: AssumptionRegistry
  /** What scenarios can name: areas, operations, collections, assumptions. */
  readonly contract: Contract
  readonly webhooks: WebhookTools | undefined
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
    eventSamples: Object.assign({}, ...sorted.map(({ events }) => events)),
    assumptionRegistry,
    contract: { areas, operations: areas.flatMap(({ operations }) => operations), collections, assumptionRegistry },
    webhooks: sorted.find(({ webhooks }) => webhooks !== undefined)?.webhooks,
  }
}
