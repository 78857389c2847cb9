import type { Cors } from '../http/cors.ts'
import type { NoticedRequest, NoticeListener } from '../journal/notices.ts'
import type { Judge } from '../journal/violation.ts'
import type { ScenarioActs } from './scenario-acts.ts'
import type { Area } from './operation.ts'
import type { Random } from '../time/random.ts'
import type { Router } from './router.ts'
import type { Worlds } from '../world/worlds.ts'

/** Is called with every request that names no world. */
export type WorldlessListener = (request: NoticedRequest) => void

/** What `dispatch` answers requests with: the areas, the worlds, and what holds for all of them. */
export interface Service {
  /** The areas by the path that they stand below, the longest base first. */
  readonly areas: readonly { readonly area: Area; readonly router: Router }[]
  /** What to say of a path where an area would stand that is not there; `undefined` where all are. */
  readonly absence: ((path: string) => string | undefined) | undefined
  readonly cors: Cors
  /** Whether replies carry the X-Greenhouse header. */
  readonly trace: boolean
  readonly worlds: Worlds
  /** Holds each request against the contract before anything is done, where one that breaks it is refused. */
  readonly strict: Judge | undefined
  /** Called with each request that names no world; the request is then refused. Without it, such requests reach `default`. */
  readonly onWorldless: WorldlessListener | undefined
  /** How scenarios act on requests, where there are scenarios. */
  readonly acts: ScenarioActs | undefined
  /** Tells logs what no journal has. */
  readonly tell: NoticeListener
  /** A sentence that quotes a request, without secrets. */
  readonly redact: (text: string) => string
  /** Chance for what happens outside of any world. */
  readonly random: Random
}

/** The area that a path, without a world's prefix, stands in. */
export function findArea({ areas }: Service, path: string): Service['areas'][number] {
  const found = areas.find(({ area: { base } }) => base === '' || path === base || path.startsWith(base + '/'))
  if (!found) throw new Error('No area stands at the root.')
  return found
}
