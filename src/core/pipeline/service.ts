import { coreAssumptions } from './assumptions.ts'
import type { Cors } from '../http/cors.ts'
import type { LoggedRequest, LogEventListener } from '../journal/log-events.ts'
import type { RequestValidator } from '../journal/violation.ts'
import type { Exchange } from './exchange.ts'
import type { ScenarioRunner } from './scenario-runner.ts'
import type { Area } from './operation.ts'
import type { Random } from '../time/random.ts'
import type { Match, Router } from './router.ts'
import type { Worlds } from '../world/worlds.ts'

export type WorldlessListener = (request: LoggedRequest) => void

export interface Service {
  /** The areas by base path, longest first. */
  readonly areas: readonly { readonly area: Area; readonly router: Router }[]
  readonly explainNotFound: ((path: string) => string | undefined) | undefined
  readonly cors: Cors
  readonly trace: boolean
  readonly worlds: Worlds
  readonly strict: RequestValidator | undefined
  /** Called with each request that names no world, which is then refused. Without it, such requests reach `default`. */
  readonly onWorldless: WorldlessListener | undefined
  readonly onRequest: ((exchange: Pick<Exchange, 'world' | 'request'>) => void) | undefined
  readonly runner: ScenarioRunner | undefined
  readonly notify: LogEventListener
  /** Counts a request that no journal records. `notify` counts those that it reports. */
  readonly count: (kind: string) => void
  readonly redact: (text: string) => string
  /** Whether a name has the form of a secret. */
  readonly isSecret: (name: string) => boolean
  readonly random: Random
}

export function findArea({ areas }: Pick<Service, 'areas'>, path: string): Service['areas'][number] {
  for (const routed of areas) {
    const { base } = routed.area
    // The base must be followed by nothing or by a slash.
    if (path.startsWith(base) && (base === '' || path.length === base.length || path[base.length] === '/'))
      return routed
  }
  throw new Error('No area has the base path "".')
}

/** Matches a path below an area's base. HEAD matches as GET where the assumption `http.head` says so. */
export function matchPath(router: Router, method: string, path: string, by: Pick<Exchange, 'assume'>): Match {
  const match = router.match(method, path)
  const isGet =
    method === 'HEAD' && match.methods.includes('GET') && by.assume(coreAssumptions, 'http.head') === 'as-get'
  return isGet ? router.match('GET', path) : match
}
