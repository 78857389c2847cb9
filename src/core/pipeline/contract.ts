import type { AssumptionRegistry } from '../definitions/assumptions.ts'
import type { CollectionDefinition } from '../store/collection.ts'
import type { Area, Operation } from './operation.ts'

/** What there is to speak of: the operations of both areas, the collections of a world, and what the reference leaves open. */
export interface Contract {
  readonly areas: readonly Area[]
  readonly operations: readonly Operation[]
  readonly collections: readonly CollectionDefinition<never>[]
  readonly assumptionRegistry: AssumptionRegistry
}
