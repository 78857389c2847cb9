import type { Cors } from '../http/cors.ts'
import type { Reply } from '../http/reply.ts'
import type { LogEventListener, LoggedRequest } from '../journal/log-events.ts'
import type { RequestValidator } from '../journal/violation.ts'
import type { Random } from '../time/random.ts'
import type { Worlds } from '../world/worlds.ts'
import type { Exchange } from './exchange.ts'
import type { WorldExchange } from './operation.ts'
import type { RoutedAreas } from './router.ts'

export type WorldlessListener = (request: LoggedRequest) => void

/** The parts of a Greenhouse with which the pipeline answers requests. */
export interface Service {
  readonly areas: RoutedAreas
  /** Returns why no area has a path; `undefined` if one has it. */
  readonly explainMissingArea: (path: string) => string | undefined
  readonly cors: Cors
  /** True if replies have the header X-Greenhouse. */
  readonly trace: boolean
  readonly worlds: Worlds
  /** In strict mode, finds the mistakes that the API itself would overlook. */
  readonly strict: RequestValidator | undefined
  /**
   * Called with each request that names no world, which is then refused. Without it, such requests
   * reach `default`.
   */
  readonly onWorldless: WorldlessListener | undefined
  /** Called with each request when its world is known, before it is answered. */
  readonly onRequest: ((exchange: WorldExchange) => void) | undefined
  /** Set by the host of a Greenhouse that stands in front of a real service. */
  front: Front | undefined
  readonly notify: LogEventListener
  /** Counts a request that no journal records. `notify` counts those that it reports. */
  readonly count: (kind: string) => void
  /** Hides the secrets that this Greenhouse knows, for messages that belong to no world. */
  readonly redact: (text: string) => string
  readonly random: Random
}

/** Answers a request from a real service. Returns `undefined` if the mock is to answer it. */
export type Front = (
  service: Service,
  exchange: Exchange,
  startedAt: number,
) => Promise<Reply> | undefined
