import { version } from '../../../package.json'
import { throwAtCallSite, rejectSecond } from '../../core/contract/options.ts'
import { ApiError } from '../../core/contract/errors.ts'
import { findNode } from '../../core/contract/across-builds.ts'
import { longestReason, quote, showValue } from '../../core/text/messages.ts'
import { Cors } from '../../core/http/cors.ts'
import { markSent, type Reply } from '../../core/http/reply.ts'
import { headerOf, type RequestHead, type ServiceRequest, type SocketSender } from '../../core/http/request.ts'
import type { WebhookTransport } from '../../core/http/webhook-transport.ts'
import type { JournalRecordListener } from '../../core/journal/journal.ts'
import type { LogEvent, LogEventListener } from '../../core/journal/log-events.ts'
import { addDateOutside, dispatch, finish, type Service } from '../../core/pipeline/dispatch.ts'
import { findArea, Router, splitWorld, worldName } from '../../core/pipeline/router.ts'
import type { CollectionDefinition } from '../../core/store/collection.ts'
import { DataMemory, ReplyCache } from '../../core/store/data-memory.ts'
import { SecretFinder } from '../../core/secrets/secret-finder.ts'
import { systemNow } from '../../core/time/clock.ts'
import { assertFetchable, assertUsable } from '../../core/time/environment.ts'
import { createRandom } from '../../core/time/random.ts'
import { activate, assertProducible } from '../../core/world/effective-settings.ts'
import { Changes } from '../../core/world/changes.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import type { Unchanged, WorldTemplate } from '../../core/world/world-template.ts'
import { Worlds } from '../../core/world/worlds.ts'
import type { FixturePart } from '../../fixtures/part.ts'
import type { Library } from '../../scenarios/language/part.ts'
import { toFetchResponse, toServiceRequest, type Waiting } from '../fetch.ts'
import type { OperationId } from '../generated/known-names.ts'
import { type FilesState, type Greenhouse, type GreenhouseOptions, listVariants } from '../greenhouse.ts'
import { createResetReader } from '../world-start.ts'
import { createWorldView, type World } from '../world.ts'
import { createWorldTemplate, type Hooks, type Parts, type TemplateContext } from './parts.ts'
import { createMissingAreaMessage } from './make-catalogue.ts'
import { checkReload, checkScenarioQuery } from './options.ts'

export function assemble(parts: Parts, options: GreenhouseOptions, hooks: Hooks = {}): Greenhouse {
  const { collections, assumptionRegistry } = parts.catalogue
  // Longest base first, so that the first base that matches a path is the right one.
  const areas = parts.catalogue.areas.toReversed()
  assertUsable()
  const listeners = new Set<JournalRecordListener>()
  const logListeners = new Set<LogEventListener>()
  const unrecorded: Record<string, number> = {}
  const count = (kind: string) => {
    unrecorded[kind] = (unrecorded[kind] ?? 0) + 1
  }
  const notify = (event: LogEvent) => {
    if (event.event !== 'delivery') count(event.event === 'refused' ? event.code : event.event)
    for (const listener of logListeners) listener(event)
  }
  const worldChanges = new Changes()
  const { onRequest, onReply, onWorld } = parts.catalogue.hooks
  const routed = areas.map((area) => ({ area, router: new Router(area.operations) }))
  const validator = parts.createRequestValidator?.(routed)
  const context = { parts, hooks, listeners, validator }
  const start = createResetReader(parts.catalogue)
  const transports: WebhookTransport[] = []
  const webhookHosts = options.webhooks?.allow ?? []
  // `undefined` if no area has webhooks.
  const { deliveries } = parts.catalogue
  const fallback = deliveries?.createTransport(webhookHosts, () => template.hosts.has('MSW'))
  let hasClosed = false
  const template: WorldTemplate = {
    ...createWorldTemplate(context, options),
    memory: new DataMemory(options.dataMemory ?? defaultDataMemory),
    createHistory: parts.cases?.openHistories(),
    replies: new ReplyCache(),
    changes: worldChanges,
    notify,
    transport: () =>
      transports.at(-1) ?? (hasClosed && !template.hosts.has('MSW') ? deliveries!.closedTransport : fallback!),
  }
  const worlds = new Worlds(template, options.maxWorlds ?? 10_000)
  // `default` is never dropped, so keep it: each `get` would count as a use.
  const defaultWorld = worlds.get('default')
  const redact = (text: string) => parts.journal.redact(text, defaultWorld.secretFinders(), longestReason)
  const reloader = createReloader(context, options, template, worlds)
  const service: Service = {
    areas: routed,
    explainNotFound: createMissingAreaMessage(parts.catalogue),
    cors: new Cors(options.cors),
    trace: options.trace ?? true,
    worlds,
    strict: options.strict ? validator : undefined,
    onWorldless: hooks.onWorldless,
    onRequest,
    runner: parts.scenarios.createRunner?.(),
    notify,
    count,
    redact,
    isSecret: (name) => parts.journal.redact(name) !== name,
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
  const observe: Greenhouse['observe'] = (listener, log) => {
    const own: JournalRecordListener = (record) => listener(record)
    listeners.add(own)
    const worldLog: LogEventListener = (event) => log?.(event)
    if (log) logListeners.add(worldLog)
    return () => {
      listeners.delete(own)
      logListeners.delete(worldLog)
    }
  }
  let stopKeeping: (() => void) | undefined
  const waiting: Waiting = new Set()
  const close = () => {
    stopKeeping?.()
    for (const cut of waiting) cut()
    worlds.end()
    listeners.clear()
    logListeners.clear()
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
      rejectSecond('greenhouse.world', arguments, 'Use greenhouse.world(name).reset({ seed: 1 }).')
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
      const { area, router } = findArea(service.areas, own)
      return router.match(method === 'HEAD' ? 'GET' : method, own.slice(area.base.length)).operation !== undefined
    },
    prepareReload: (fixtures) => parts.fixtures.prepare?.(fixtures, collections, template.now ?? systemNow()) ?? [],
    reload: reloader.reload,
    hide(secret) {
      tokens.add(secret)
      template.tokens.finder = new SecretFinder([...tokens])
    },
    redact,
    subscribe(listener) {
      const { toEntry } = parts.journal
      return observe((record) => listener(toEntry(record)))
    },
    observe,
    log: notify,
    logRejected(rejected) {
      notify({ event: 'refused', ...rejected })
      const headers = {}
      service.cors.addHeaders(rejected.request, headers)
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
      const started = template.scenarios.map((choice) =>
        activate(template, choice, template.now ?? systemNow(), template.seed),
      )
      for (const scenario of [...started, ...worlds.list().flatMap((world) => world.active)])
        assertProducible(scenario, host)
      template.hosts.add(host)
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
      const library = template.library as Library
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
  return throwAtCallSite(assembled, ['world', 'hasWorld', 'deleteWorld', 'reload', 'scenarios', 'variants'])
}

/** The largest default, also used if the machine's memory is unknown, in bytes. */
const maxDefault = 2 ** 29

function defaultDataMemory(): number {
  return Math.min(maxDefault, Math.floor(memoryOfMachine() / 8))
}

/** Returns the memory of the machine or its container, in bytes. Only some browsers report it, and only roughly. */
function memoryOfMachine(): number {
  const node = findNode()
  const { navigator } = globalThis as { navigator?: { readonly deviceMemory?: number } }
  if (!node) return (navigator?.deviceMemory ?? Infinity) * 2 ** 30
  // If the container has no memory limit, Node returns 0 or a huge number.
  return Math.min(node.getBuiltinModule('node:os').totalmem(), node.constrainedMemory() || Infinity)
}

/**
 * Decides whether a request from a socket may go on, before any world is used or created: any page in a browser may
 * have sent it. @param isOwnHost whether the Host header names this server; `undefined` if it was not checked. @returns
 * the sender, or the reply that refuses the request.
 */
function admit(service: Service, request: RequestHead, isOwnHost: boolean | undefined): SocketSender | Reply {
  if (isOwnHost === false)
    return rejectAtDoor(service, request, 'foreign_host', foreignHost(headerOf(request, 'host') ?? ''))
  const sender = service.cors.senderOf(request, isOwnHost === true)
  if (sender !== 'crossOrigin') return sender
  return rejectAtDoor(service, request, 'foreign_page', foreignPage(headerOf(request, 'origin')))
}

/** Refuses in the area's error shape. The request id is not from a world, because the request reaches none. */
function rejectAtDoor(service: Service, request: RequestHead, code: string, message: string): Reply {
  const { area } = findArea(service.areas, splitWorld(request.path).path)
  const error = new ApiError('insufficient_permissions', service.redact(message))
  const reply = area.toRejectionReply(error, service.random.id('req'))
  service.notify({ event: 'refused', code, request, status: reply.status, reason: message })
  return finish(service, request, addDateOutside(service, reply))
}

function foreignHost(host: string): string {
  const name = host.replace(/:\d*$/, '')
  const known = /^[\w.-]{1,100}$/.test(name) ? name : 'NAME'
  return `Blocked: the host ${quote(name)} is not a name of this server. Allow it with --allow-host ${known}, or serve(greenhouse, { allowHosts: ['${known}'] }) in code.`
}

function foreignPage(origin: string | undefined): string {
  if (origin === undefined)
    return "Blocked: a page of another site sent this request without an Origin header. Allow the page's origin with --cors ORIGIN, or cors: ['ORIGIN'] in code, and call with fetch, which sends the header."
  const known = /^https?:\/\/[\w.:[\]-]{1,100}$/i.test(origin) ? origin : 'ORIGIN'
  return `Blocked: a page of the origin ${quote(origin)} sent this request. Allow the origin with --cors ${known}, or cors: ['${known}'] in code: that covers cookies and access to a private network, too.`
}

function createReloader(
  context: TemplateContext,
  options: GreenhouseOptions,
  template: WorldTemplate,
  worlds: Worlds,
): Pick<Greenhouse, 'reload'> & { readonly scenarios: NonNullable<GreenhouseOptions['scenarios']> } {
  const { parts } = context
  let data: Pick<GreenhouseOptions, 'fixtures' | 'scenarios' | 'assumptions'> = options
  return {
    get scenarios() {
      return data.scenarios ?? {}
    },
    reload(changes) {
      checkReload(changes)
      worlds.assertOpen()
      const { fixtures = data.fixtures, scenarios = data.scenarios, assumptions = data.assumptions } = changes
      const next: WorldTemplate = {
        ...template,
        ...createWorldTemplate(
          changes.fixtures ? context : { ...context, parts: { ...parts, fixtures: reuseFixtures(template) } },
          { ...options, fixtures, scenarios, assumptions },
        ),
        hosts: template.hosts,
      }
      for (const collection of parts.catalogue.collections) next.initialRecordsOf(collection)
      const callers = { name: 'default', collection: next.initialRecordsOf, initialRecordsOf: next.initialRecordsOf }
      for (const choice of next.scenarios) activate({ ...next, callers }, choice, next.now ?? systemNow(), next.seed)
      const formerRecordsOf = template.initialRecordsOf
      const [before, after] = [data.scenarios ?? {}, scenarios ?? {}]
      const names = [...Object.keys(before), ...Object.keys(after)]
      const changed = new Set(names.filter((name) => toComparable(before[name]) !== toComparable(after[name])))
      data = { fixtures, scenarios, assumptions }
      template.library = next.library
      if (changes.assumptions) template.effectiveSettings = next.effectiveSettings
      if (changes.fixtures) {
        template.initialRecordsOf = next.initialRecordsOf
        template.initialRecordsAt = next.initialRecordsAt
        template.pendingRecords = next.pendingRecords
      }
      // Thousands of worlds would send more events than a reader can take.
      const unchanged = template.changes.quietly(() =>
        followAll(worlds.list(), formerRecordsOf, template.initialRecordsOf, changed),
      )
      template.changes.notify({ type: 'reload' })
      return unchanged
    },
  }
}

function reuseFixtures({ initialRecordsOf, pendingRecords }: WorldTemplate): FixturePart {
  return { part: 'fixtures', check() {}, initialRecords: () => ({ of: initialRecordsOf, pending: pendingRecords }) }
}

function followAll(
  worlds: readonly LiveWorld[],
  formerRecordsOf: WorldTemplate['initialRecordsOf'],
  initialRecordsOf: WorldTemplate['initialRecordsOf'],
  changed: ReadonlySet<string>,
): Unchanged {
  const differs = new Map<string, boolean>()
  const isOther = (collection: CollectionDefinition<object>) => {
    const { name } = collection
    const [former, present] = [formerRecordsOf(collection), initialRecordsOf(collection)]
    if (!differs.has(name)) differs.set(name, toComparable(former.all()) !== toComparable(present.all()))
    return differs.get(name)!
  }
  const followed = worlds.map((world) => ({ world: world.name, ...world.follow(formerRecordsOf, changed) }))
  return {
    scenarios: followed.flatMap(({ scenarios }) => scenarios),
    records: followed
      .map(({ world, collections }) => ({ world, collections: collections.filter(isOther).map(({ name }) => name) }))
      .filter((records) => records.collections.length > 0),
  }
}

function toComparable(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part))
}
