import type { Assumptions } from '../../core/contract/assumptions.ts'
import type { Area, Operation } from '../../core/pipeline/operation.ts'
import type { CollectionDefinition } from '../../core/store/collection.ts'

/** One resource of Area B, declared in the `index.ts` of its folder. The area combines all resources. */
export interface Resource extends Pick<Area, 'lifecycles' | 'pending'> {
  readonly operations: readonly Operation[]
  readonly eventSchemas?: Area['eventSchemas']
  readonly collections?: Readonly<Record<string, Pick<CollectionDefinition<never>, 'name'>>>
  readonly assumptions?: Assumptions
  readonly schemas?: Area['schemas']
}

export function defineResource<const T extends Resource>(resource: T): T {
  return resource
}
