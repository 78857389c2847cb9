import { methodsAtCaller } from '../../core/definitions/at-caller.ts'
import { refuseSecond } from '../../core/definitions/options.ts'
import { admit } from '../../core/pipeline/admission.ts'
import { longestReason } from '../../core/definitions/quote.ts'
import { showValue } from '../../core/definitions/shown-value.ts'
import { splitWorld, worldName } from '../../core/pipeline/world-address.ts'
import { systemNow } from '../../core/time/clock.ts'
import { Cors } from '../../core/http/cors.ts'
import { DataMemory } from '../../core/store/data-memory.ts'
import { dispatch } from '../../core/pipeline/dispatch.ts'
import { assertFetchable, assertUsable } from '../../core/time/environment.ts'
import type { JournalRecordListener } from '../../core/journal/journal.ts'
import type { Notice, NoticeListener } from '../../core/journal/notices.ts'
import { markSent } from '../../core/http/reply.ts'
import { ReplyCache } from '../../core/store/reply-cache.ts'
import type { ServiceRequest } from '../../core/http/request.ts'
import { createRandom } from '../../core/time/random.ts'
import { Router } from '../../core/pipeline/router.ts'
import { SecretFinder } from '../../core/store/secret-finder.ts'
import { findArea, type Service } from '../../core/pipeline/service.ts'
import type { WebhookTransport } from '../../core/http/webhook-transport.ts'
import { activate, assertProducible } from '../../core/world/activate.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import { Changes } from '../../core/world/changes.ts'
import type { WorldOrigin } from '../../core/world/origin.ts'
import { Worlds } from '../../core/world/worlds.ts'
import { toFetchResponse, toServiceRequest, type Waiting } from '../fetch.ts'
import type { Library } from '../../scenarios/part.ts'
import type { FilesState, Greenhouse, GreenhouseOptions } from '../greenhouse.ts'
import { version } from '../../../package.json'
import { defaultDataMemory } from './default-data-memory.ts'
import { createMissingAreaMessage } from './missing-areas.ts'
import { checkScenarioQuery } from './options.ts'
import type { OperationId } from '../generated/known-names.ts'
import { listVariants } from '../variants.ts'
import { createWorldView, type World } from '../world.ts'
import { createResetReader } from '../world-start.ts'
import { createOrigin } from './create-origin.ts'
import type { Hooks, Parts } from './parts.ts'
import { createReloader } from './reload.ts'

export function assemble(parts: Parts, options: GreenhouseOptions, hooks: Hooks = {}): Greenhouse {
  const { areas, collections, assumptionRegistry } = parts.catalogue
  const { onWorldless } = hooks
  assertUsable()
  const listeners = new Set<JournalRecordListener>()
  const noticeListeners = new Set<NoticeListener>()
  const unrecorded: Record<string, number> = {}
  const count = (kind: string) => {
    unrecorded[kind] = (unrecorded[kind] ?? 0) + 1
  }
  const notify = (notice: Notice) => {
    if (notice.event !== 'delivery') count(notice.event === 'refused' ? notice.code : notice.event)
    for (const listener of noticeListeners) listener(notice)
  }
  const worldChanges = new Changes()
  const { onRequest, onReply, onWorld } = parts.catalogue.own.hooks
  const routed = areas.map((area) => ({ area, router: new Router(area.operations) }))
  const judge = parts.createJudge?.(routed)
  const context = { parts, hooks, listeners, judge }
  const start = createResetReader(parts.catalogue)
  const transports: WebhookTransport[] = []
  const webhookHosts = options.webhooks?.allow ?? []
  // `undefined` if no area has webhooks.
  const { deliveries } = parts.catalogue
  const fallback = deliveries?.createTransport(webhookHosts, () => origin.hosts.has('MSW'))
  let hasClosed = false
  const origin: WorldOrigin = {
    ...createOrigin(context, options),
    memory: new DataMemory(options.dataMemory ?? defaultDataMemory),
    createHistory: parts.cases?.openHistories(),
    replies: new ReplyCache(),
    changes: worldChanges,
    notify,
    transport: () =>
      transports.at(-1) ?? (hasClosed && !origin.hosts.has('MSW') ? deliveries!.closedTransport : fallback!),
  }
  const worlds = new Worlds(origin, options.maxWorlds ?? 10_000)
  // `default` is never dropped, so keep it: each `get` would count as a use.
  const defaultWorld = worlds.get('default')
  const redact = (text: string) => parts.journal.redact(text, defaultWorld.secretFinders(), longestReason)
  const reloader = createReloader(context, options, { origin, worlds, worldChanges })
  const service: Service = {
    areas: routed,
    absence: createMissingAreaMessage(parts.catalogue),
    cors: new Cors(options.cors),
    trace: options.trace ?? true,
    worlds,
    strict: options.strict ? judge : undefined,
    onWorldless,
    onRequest,
    acts: parts.scenarios.createActs?.(),
    notify,
    count,
    redact,
    looksSecret: (name) => parts.journal.redact(name) !== name,
    random: createRandom(options.seed ?? 1, 'outside'),
  }
  const bodyLimit = options.bodyLimit ?? 2 ** 20
  let files: FilesState = { problems: [], watching: false, loadedAt: systemNow() }
  const tokens = new Set<string>()
  const handle = (request: ServiceRequest) => dispatch(service, request)
  const worldParts = {
    ...parts,
    caseSettings: () => ({
      by: `greenhouse-mock ${version}`,
      trace: service.trace,
      strict: options.strict ?? false,
      cors: options.cors ?? [],
      scenarios: reloader.scenarios,
      assumptions: assumptionRegistry.resolve({}),
    }),
  }
  const toView = createWorldView(worldParts, start)
  const publicWorldOf = (world: LiveWorld) => (world.view ??= toView(world)) as World
  const observe: Greenhouse['observe'] = (listener, noticed) => {
    const own: JournalRecordListener = (record) => listener(record)
    listeners.add(own)
    const ownNoticed: NoticeListener = (notice) => noticed?.(notice)
    if (noticed) noticeListeners.add(ownNoticed)
    return () => {
      listeners.delete(own)
      noticeListeners.delete(ownNoticed)
    }
  }
  let stopKeeping: (() => void) | undefined
  const waiting: Waiting = new Set()
  const close = () => {
    stopKeeping?.()
    for (const cut of waiting) cut()
    worlds.end()
    listeners.clear()
    noticeListeners.clear()
  }
  const assembled: Greenhouse = {
    close,
    // Not every browser has the symbol.
    ...({ [Symbol.dispose ?? 'dispose']: close } as Disposable),
    bodyLimit,
    waiting,
    handle,
    admit: (request, isOwnHost) => admit(service, request, isOwnHost),
    addCors: (request, headers) => service.cors.addHeaders(request, headers),
    world(name = 'default') {
      refuseSecond('greenhouse.world', arguments, 'Use greenhouse.world(name).reset({ seed: 1 }).')
      if (typeof name !== 'string' || !worldName.test(name))
        throw new RangeError(
          `Failed to create the world ${showValue(name)}: a name is 1 to 64 of the characters A-Z a-z 0-9 . _ -`,
        )
      return publicWorldOf(worlds.get(name))
    },
    findWorld(name) {
      const world = worlds.peek(name)
      return world && publicWorldOf(world)
    },
    hasWorld: (name) => worlds.has(name),
    worlds: () => worlds.list().map((world) => world.name),
    deleteWorld: (name) => worlds.delete(name),
    hasOperation(method, path) {
      const { path: own } = splitWorld(path)
      const found = findArea(service, own)
      const match = found.router.match(method === 'HEAD' ? 'GET' : method, own.slice(found.area.base.length))
      return match.operation !== undefined
    },
    prepareReload: (fixtures) => parts.fixtures.prepare?.(fixtures, collections, origin.now ?? systemNow()) ?? [],
    reload: reloader.reload,
    hide(secret) {
      tokens.add(secret)
      origin.tokens.finder = new SecretFinder([...tokens])
    },
    redact,
    subscribe(listener) {
      const { toEntry } = parts.journal
      return observe((record) => listener(toEntry(record)))
    },
    observe,
    log: notify,
    refuse(refused) {
      notify({ event: 'refused', ...refused })
      const headers = {}
      service.cors.addHeaders(refused.request, headers)
      return headers
    },
    unrecorded,
    observeChanges: (observer) => worldChanges.observe(observer),
    get files() {
      return files
    },
    setFilesState(change) {
      files = { ...files, ...change }
      worldChanges.notify({ type: 'problems' })
    },
    showUrl: (request) => parts.journal.toShownUrl(request, defaultWorld.secretFinders()),
    async fetch(request) {
      assertFetchable()
      const url = new URL(request.url)
      const reply = await handle(await toServiceRequest(request, url.pathname, url.search.slice(1), bodyLimit))
      if (request.signal.aborted) markSent(reply, 0, true)
      request.signal.throwIfAborted()
      return toFetchResponse(reply, request, waiting)
    },
    declareHostWithoutConnections(host) {
      const started = origin.scenarios.map((choice) => activate(origin, choice, origin.now ?? systemNow(), origin.seed))
      for (const scenario of [...started, ...worlds.list().flatMap((world) => world.active)])
        assertProducible(scenario, host)
      origin.hosts.add(host)
    },
    deliverThrough(transport) {
      transports.push(transport)
      return () => {
        transports.splice(transports.indexOf(transport), 1)
        if (transports.length > 0) return
        hasClosed = true
        for (const world of worlds.list()) world.disconnect()
      }
    },
    webhookHosts,
    areas: areas.map(({ name }) => name),
    catalogue: parts.catalogue,
    missingParts: parts.leftOut,
    operations: () =>
      areas.toReversed().flatMap(({ base, operations }) =>
        operations.map(({ id, method, path, title, scope, source }) => ({
          id: id as OperationId,
          method,
          path: base + path,
          title,
          scope,
          source,
        })),
      ),
    scenarios(query = {}) {
      checkScenarioQuery(query)
      const library = origin.library as Library
      return query.search === undefined ? library.list() : library.search(query.search)
    },
    assumptions: () => assumptionRegistry.list() as ReturnType<Greenhouse['assumptions']>,
    variants: (query) => listVariants(assumptionRegistry, options.assumptions, query),
  }
  if (onReply) assembled.subscribe(onReply)
  if (onWorld) worldChanges.observe(onWorld)
  if (options.persist)
    stopKeeping = parts.cases!.keepInPage(
      { world: defaultWorld, settings: worldParts.caseSettings, observe: assembled.observeChanges },
      options.persist,
    )
  return methodsAtCaller(assembled, ['world', 'hasWorld', 'deleteWorld', 'reload', 'scenarios', 'variants'])
}
