import type { Assumptions } from '../../core/definitions/assumptions.ts'
import type { Area, Operation } from '../../core/pipeline/operation.ts'
import type { CollectionDefinition } from '../../core/store/collection.ts'

/** One resource of Area B, as the `index.ts` of its folder declares it. The area is all of them together. */
export interface Resource extends Pick<Area, 'lifecycles' | 'pending'> {
  /** In the order of the documentation. */
  readonly operations: readonly Operation[]
  /** What each of the events tells that its records bring about. */
  readonly eventSchemas?: Area['eventSchemas']
  /** By the names that fixtures and `world.records` have for them. */
  readonly collections?: Readonly<Record<string, Pick<CollectionDefinition<never>, 'name'>>>
  readonly assumptions?: Assumptions
  /** What requests and replies carry, by the names that the OpenAPI document has for it. */
  readonly schemas?: Area['schemas']
}

/** Declares a resource. */
export function defineResource<const T extends Resource>(resource: T): T {
  return resource
}
