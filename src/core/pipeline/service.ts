import type { Cors } from '../http/cors.ts'
import type { Reply } from '../http/reply.ts'
import type { LogEventListener, LoggedRequest } from '../journal/log-events.ts'
import type { RequestValidator } from '../journal/violation.ts'
import { systemNow } from '../time/clock.ts'
import type { Random } from '../time/random.ts'
import { toHttpDate } from '../time/time-text.ts'
import type { Worlds } from '../world/worlds.ts'
import { coreAssumptions } from './assumptions.ts'
import type { Exchange, ScenarioRunner } from './exchange.ts'
import type { Area } from './operation.ts'
import type { Match, Router } from './router.ts'

export type WorldlessListener = (request: LoggedRequest) => void

export interface Service {
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

/** Adds the header Date (assumption `http.date`), unless a scenario has set one. Adapters add none of their own. */
export function addDate(
  { effectiveSettings, world }: Pick<Exchange, 'effectiveSettings' | 'world'>,
  headers: Reply['headers'],
): void {
  // Does not call `exchange.assume`: this assumption shapes every reply, so every journal entry would list it.
  const choice = effectiveSettings.assumptions.get('http.date' satisfies keyof typeof coreAssumptions)
  if (choice === 'absent' || hasDate(headers)) return
  headers['Date'] = toHttpDate(choice === 'machine' ? systemNow() : world.clock.now())
}

/** Adds the header Date to a reply that comes from no world: with the time of the world `default` or, without it, the machine's. */
export function addDateOutside({ worlds }: Service, reply: Reply): Reply {
  const world = worlds.peek('default')
  if (world) addDate({ effectiveSettings: world.effectiveSettings, world }, reply.headers)
  else reply.headers['Date'] = toHttpDate(systemNow())
  return reply
}

function hasDate(headers: Reply['headers']): boolean {
  for (const name in headers) if (name.length === 4 && name.toLowerCase() === 'date') return true
  return false
}
