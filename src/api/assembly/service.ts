import { codedError } from '../../core/text/error-codes.ts'
import { Cors } from '../../core/http/cors.ts'
import { longestReason } from '../../core/text/messages.ts'
import type { Front, Service } from '../../core/pipeline/service.ts'
import type { RoutedAreas } from '../../core/pipeline/router.ts'
import { redact } from '../../core/secrets/secrets.ts'
import { createRandom } from '../../core/time/random.ts'
import type { Worlds } from '../../core/world/worlds.ts'
import { explainMissingArea } from '../../catalogue/fold-areas.ts'
import type { GreenhouseOptions } from '../options.ts'
import type { RequestFeed } from '../request-feed.ts'
import type { TemplateContext } from './template.ts'

interface ServiceParts {
  readonly areas: RoutedAreas
  readonly worlds: Worlds
  readonly requests: RequestFeed
}

/** Returns the parts that a request needs on its way. */
export function createService(
  { areas, worlds, requests }: ServiceParts,
  { parts: { catalogue }, hooks, validator }: TemplateContext,
  { cors, trace = true, strict, proxy, seed = 1 }: GreenhouseOptions,
): Service {
  // `default` is never dropped, so keep it: each `get` would count as a use.
  const defaultWorld = worlds.get('default')
  return {
    areas,
    explainMissingArea: (path) => explainMissingArea(catalogue.areas, path),
    cors: new Cors(cors),
    trace,
    worlds,
    strict: strict ? validator : undefined,
    onWorldless: hooks.onWorldless,
    onRequest: catalogue.hooks.onRequest,
    front: proxy && unattached,
    notify: requests.log,
    count: (kind) => requests.count(kind),
    redact: (text) => redact(text, defaultWorld.secretFinders(), longestReason),
    random: createRandom(seed, 'outside'),
  }
}

/** Stands in front of a Greenhouse whose requests nothing forwards yet. */
export const unattached: Front = () => {
  throw codedError(
    'GREENHOUSE_FAILED_FORWARDING',
    'Failed to forward a request: the option "proxy" works with serve() of greenhouse-mock/server, and with createHandlers() of greenhouse-mock/msw.',
  )
}
