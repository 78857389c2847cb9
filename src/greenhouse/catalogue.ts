import { appsArea, appsCollections, appsEvents } from '../areas/apps/index.ts'
import type { EventSample } from '../areas/event-sample.ts'
import type { EventType } from '../areas/event-types.ts'
import { plantsArea, plantsCollections, plantsEvents } from '../areas/plants/index.ts'
import { accounts, keys } from '../core/accounts/accounts.ts'
import { AssumptionRegistry } from '../core/definitions/assumptions.ts'
import type { CollectionDefinition } from '../core/store/collection.ts'
import type { Contract } from '../core/pipeline/contract.ts'
import { coreAssumptions } from '../core/pipeline/assumptions.ts'
import type { Area } from '../core/pipeline/operation.ts'

/** The areas, the longest base first: the first one whose base fits a path is the right one. */
export const areas: readonly Area[] = [appsArea, plantsArea]

/** The collections that a world has, by name. */
export const definitions = { accounts, keys, ...plantsCollections, ...appsCollections }

/** The type of a collection's records. */
export type RecordOf<Name extends keyof typeof definitions> =
  (typeof definitions)[Name] extends CollectionDefinition<infer T> ? T : never

/** The collections as a list. */
export const collections = Object.values(definitions) as unknown as readonly CollectionDefinition<never>[]

/** What each event tells where it is triggered and did not happen. */
export const eventSamples: Readonly<Record<EventType, EventSample>> = { ...plantsEvents, ...appsEvents }

/** All assumptions, area by area. */
export const assumptionRegistry = new AssumptionRegistry(plantsArea.assumptions, coreAssumptions, appsArea.assumptions)

/** What scenarios can name: areas, operations, collections, assumptions. */
export const contract: Contract = {
  areas: areas.toReversed(),
  operations: areas.toReversed().flatMap((area) => area.operations),
  collections,
  assumptionRegistry,
}
