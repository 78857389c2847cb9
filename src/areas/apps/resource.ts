import type { Assumptions } from '../../core/definitions/assumptions.ts'
import type { Area, Operation } from '../../core/pipeline/operation.ts'
import type { CollectionDefinition } from '../../core/store/collection.ts'

/** One resource of Area B, declared in the `index.ts` of its folder. The area combines all resources. */
export interface Resource extends Pick<Area, 'lifecycles' | 'pending'> {
  /** In the order of the documentation. */
  readonly operations: readonly Operation[]
  /** Schemas of the events about its records. */
  readonly eventSchemas?: Area['eventSchemas']
  /** Its collections, by their names in fixtures and `world.records`. */
  readonly collections?: Readonly<Record<string, Pick<CollectionDefinition<never>, 'name'>>>
  readonly assumptions?: Assumptions
  /** Schemas of requests and replies, by their names in the OpenAPI document. */
  readonly schemas?: Area['schemas']
}

export function defineResource<const T extends Resource>(resource: T): T {
  return resource
}
