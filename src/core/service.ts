import type { Cors } from './cors.ts'
import type { Area } from './operation.ts'
import type { Router } from './router.ts'
import type { Worlds } from './worlds.ts'

/** What `dispatch` answers requests with: the areas, the worlds, and what holds for all of them. */
export interface Service {
  /** The areas by the path that they stand below, the longest base first. */
  readonly areas: readonly { readonly area: Area; readonly router: Router }[]
  readonly cors: Cors
  /** Whether replies carry the X-Greenhouse header. */
  readonly trace: boolean
  readonly worlds: Worlds
}
