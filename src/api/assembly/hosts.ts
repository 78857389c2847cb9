import { systemNow } from '../../core/time/clock.ts'
import {
  activate,
  assertProducible,
  explainRejection,
} from '../../core/world/effective-settings.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import type { ScenarioLibrary } from '../../scenarios/language/library.ts'
import type { ScenarioSummary } from '../../scenarios/language/scenario-summary.ts'
import type { ServiceTemplate, TemplateContext } from './template.ts'
import { codedError } from '../../core/text/error-codes.ts'
import { Cors } from '../../core/http/cors.ts'
import { longestReason } from '../../core/text/messages.ts'
import type { Front, Service } from '../../core/pipeline/service.ts'
import type { RoutedAreas } from '../../core/pipeline/router.ts'
import { redact } from '../../core/secrets/secrets.ts'
import { createRandom } from '../../core/time/random.ts'
import type { Worlds } from '../../core/world/worlds.ts'
import { explainMissingArea, type Catalogue } from '../../catalogue/fold-areas.ts'
import type { GreenhouseOptions } from '../options.ts'
import type { RequestFeed } from '../request-feed.ts'
import type { WebhookTransport } from '../../core/http/webhook-transport.ts'

/** Adds a host that can't produce all faults. @throws RangeError if one of them is active */
export function addHost(
  template: ServiceTemplate,
  worlds: readonly LiveWorld[],
  host: string,
): void {
  const context = {
    now: template.now ?? systemNow(),
    seed: template.seed,
  }
  const started = template.scenarios.map((choice) => activate(template, choice, context))
  for (const scenario of [...started, ...worlds.flatMap((world) => world.scenarios.active)])
    assertProducible(scenario, host)
  template.hosts.add(host)
}

/** Lists scenarios, each with the reason if a host can't produce it. */
export function listScenarios(
  { library, hosts }: ServiceTemplate,
  search: string | undefined,
): ScenarioSummary[] {
  const all = library as ScenarioLibrary
  const found = search === undefined ? all.list() : all.search(search)
  if (hosts.size === 0) return found
  return found.map((summary) => {
    const scenario = library.activate({ name: summary.name, options: {} }, { now: 0, seed: 0 })
    const reasons = Array.from(hosts, (host) => explainRejection(scenario, host))
    const rejected = reasons.find((reason) => reason !== undefined)
    return rejected === undefined ? summary : { ...summary, rejected }
  })
}

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

/**
 * What sends the webhooks of a Greenhouse: the server that began last, or a fallback
 * where there has been none.
 */
export class Transports {
  readonly #deliveries: Catalogue['deliveries']
  readonly #fallback: WebhookTransport | undefined
  readonly #hosts: ReadonlySet<string>
  readonly #running: WebhookTransport[] = []
  #hasClosed = false

  /**
   * @param deliveries `undefined` if no area has webhooks
   * @param hosts the hosts without connections, such as MSW
   */
  constructor(
    deliveries: Catalogue['deliveries'],
    allow: readonly string[] = [],
    hosts: ReadonlySet<string>,
  ) {
    this.#deliveries = deliveries
    this.#hosts = hosts
    this.#fallback = deliveries?.createTransport(allow, () => hosts.has('MSW'))
  }

  current(): WebhookTransport {
    const running = this.#running.at(-1)
    if (running) return running
    const isClosed = this.#hasClosed && !this.#hosts.has('MSW')
    if (isClosed) return this.#deliveries!.closedTransport
    return this.#fallback!
  }

  /** Returns a function that removes the transport, and returns whether it was the last one. */
  add(transport: WebhookTransport): () => boolean {
    this.#running.push(transport)
    return () => {
      this.#running.splice(this.#running.indexOf(transport), 1)
      if (this.#running.length > 0) return false
      this.#hasClosed = true
      return true
    }
  }
}
