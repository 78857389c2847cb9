import { appsArea } from './areas/apps/index.ts'
import { plantsArea } from './areas/plants/index.ts'
import { accounts, keys } from './core/accounts.ts'
import { Ledger } from './core/assumptions.ts'
import { coreAssumptions } from './core/ledger.ts'
import type { Contract } from './core/contract.ts'
import type { Area } from './core/operation.ts'
import type { CollectionDefinition } from './core/collection.ts'

/** The areas, the longest base first, so that the first one whose base fits is the one that is meant. */
export const areas: readonly Area[] = [appsArea, plantsArea]

/** The collections that a world has. */
export const collections: readonly CollectionDefinition<never>[] = [
  accounts as never,
  keys as never,
  ...plantsArea.collections,
  ...appsArea.collections,
]

/** Everything that the reference leaves open, area by area. */
export const ledger = new Ledger(plantsArea.assumptions, coreAssumptions, appsArea.assumptions)

/** What scenarios speak of. */
export const contract: Contract = { operations: areas.toReversed().flatMap((area) => area.operations), collections, ledger }
