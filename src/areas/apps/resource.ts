import type { Area } from '../../core/pipeline/operation.ts'

/** One resource of Area B, declared in the `index.ts` of its folder. The area combines all resources. */
export interface Resource
  extends
    Pick<Area, 'operations' | 'lifecycles' | 'pending'>,
    Partial<Pick<Area, 'collections' | 'assumptions' | 'schemas' | 'eventSchemas'>> {}

export function defineResource<const T extends Resource>(resource: T): T {
  return resource
}
