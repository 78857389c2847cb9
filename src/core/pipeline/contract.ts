import type * as z from 'zod/mini'
import type { AssumptionRegistry } from '../contract/assumptions.ts'
import type { CollectionDefinition } from '../store/collection.ts'
import type { Area, Operation } from './operation.ts'

export interface Contract {
  readonly areas: readonly Area[]
  readonly operations: readonly Operation[]
  readonly collections: readonly CollectionDefinition<never>[]
  readonly assumptionRegistry: AssumptionRegistry
  readonly scopes: readonly string[]
  readonly plans: readonly string[]
  /** Returns a built-in schema that lists all scopes, events and plans: also those of users. */
  readonly open: <T extends z.ZodMiniType>(schema: T) => T
  /** An addition to a message about an unknown name: ` This Greenhouse does not have the area "apps".` Empty with all areas. */
  readonly missing: string
  readonly eventTypes: readonly string[]
}
