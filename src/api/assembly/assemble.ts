import { worldName, worldNameRule } from '../../core/http/urls.ts'
import { version } from '../../../package.json'
import { checkOptions, givenOf, rejectSecond, throwAtCallSite } from '../../core/contract/options.ts'
import { ApiError } from '../../core/contract/errors.ts'
import { addListener, findNode } from '../../core/contract/across-builds.ts'
import { longestReason, quote, showValue } from '../../core/text/messages.ts'
import { Cors } from '../../core/http/cors.ts'
import { markSent, type Reply } from '../../core/http/reply.ts'
import { headerOf, type RequestHead, type ServiceRequest, type SocketSender } from '../../core/http/request.ts'
import type { WebhookTransport } from '../../core/http/webhook-transport.ts'
import type { JournalRecordListener } from '../../core/journal/journal.ts'
import type { JournalEntry } from '../../core/journal/journal-entry.ts'
import type { LogEvent, LogEventListener, LoggedRequest, RejectedRequest } from '../../core/journal/log-events.ts'
import { addDateOutside, dispatch, finish, type Front, type Service } from '../../core/pipeline/dispatch.ts'
import { findArea, Router, splitWorld } from '../../core/pipeline/router.ts'
import { DataMemory, ReplyCache } from '../../core/store/data-memory.ts'
import { SecretFinder } from '../../core/secrets/secret-finder.ts'
import { assertFetchable, assertUsable, systemNow } from '../../core/time/clock.ts'
import { createRandom } from '../../core/time/random.ts'
import { activate, assertProducible } from '../../core/world/effective-settings.ts'
import { type Change, Changes } from '../../core/world/changes.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import type { Unchanged, WorldTemplate } from '../../core/world/world-template.ts'
import { Worlds } from '../../core/world/worlds.ts'
import type { CaseSettings } from '../../cases/world-case.ts'
import type { Library } from '../../scenarios/language/part.ts'
import type { ScenarioSummary } from '../../scenarios/language/scenario-summary.ts'
import { toFetchResponse, toServiceRequest, type Waiting } from '../fetch.ts'
import type { OperationId } from '../generated/known-names.ts'
import {
  type FilesState,
  type Greenhouse,
  type GreenhouseOptions,
  listVariants,
  type OperationSummary,
  type Variant,
  type VariantQuery,
} from '../greenhouse.ts'
import { World, type WorldContext } from '../world.ts'
import { type Catalogue, createMissingAreaMessage } from './make-catalogue.ts'
import { createStartRules, greenhouseRules, scenarioQueryRules } from './options.ts'
import {
  createWorldTemplate,
  type Hooks,
  type Parts,
  type Reloadable,
  reloadTemplate,
  reuseFixtures,
  type TemplateContext,
} from './template.ts'

/**
 * A Greenhouse of the given parts: what can be asked and stored (the catalogue), what a new world starts as (the template), the
 * worlds, and what the path of a request needs (the service). @internal
 */
export class AssembledGreenhouse implements Greenhouse {
  readonly catalogue: Catalogue
  readonly #template: WorldTemplate
  readonly #worlds: Worlds
  readonly #defaultWorld: LiveWorld
  readonly #service: Service

  readonly #parts: Parts
  #options: GreenhouseOptions
  readonly #templateContext: TemplateContext
  readonly #worldContext: WorldContext
  readonly #listeners = new Set<JournalRecordListener>()
  readonly #logListeners = new Set<LogEventListener>()
  readonly #transports: WebhookTransport[] = []
  #hasClosedTransports = false
  readonly #tokens = new Set<string>()
  readonly #stopKeeping: (() => void) | undefined
  readonly bodyLimit: number
  readonly missingParts: readonly string[]
  readonly waiting: Waiting = new Set()
  readonly unrecorded: Record<string, number> = {}
  files: FilesState = { problems: [], watching: false, loadedAt: systemNow() }
  declare [Symbol.dispose]: () => void

  constructor(parts: Parts, options: GreenhouseOptions, hooks: Hooks = {}) {
    assertUsable()
    const { catalogue, cases, journal } = parts
    this.#parts = parts
    this.#options = options
    this.bodyLimit = options.bodyLimit ?? 2 ** 20
    this.catalogue = catalogue
    this.missingParts = parts.leftOut

    // Longest base first, so that the first base that matches a path is the right one.
    const areas = catalogue.areas.toReversed().map((area) => ({ area, router: new Router(area.operations) }))
    const validator = parts.createRequestValidator?.(areas)
    // `undefined` if no area has webhooks.
    const { deliveries } = catalogue
    const fallback = deliveries?.createTransport(options.webhooks?.allow ?? [], () => template.hosts.has('MSW'))
    this.#templateContext = { parts, hooks, listeners: this.#listeners, validator }
    const template: WorldTemplate = {
      ...createWorldTemplate(this.#templateContext, options),
      memory: new DataMemory(options.dataMemory ?? defaultDataMemory),
      createHistory: cases?.openHistories(),
      replies: new ReplyCache(),
      changes: new Changes(),
      notify: (event) => this.log(event),
      transport: () =>
        this.#transports.at(-1) ??
        (this.#hasClosedTransports && !template.hosts.has('MSW') ? deliveries!.closedTransport : fallback!),
    }
    this.#template = template
    this.#worlds = new Worlds(template, options.maxWorlds ?? 10_000)
    // `default` is never dropped, so keep it: each `get` would count as a use.
    const defaultWorld = this.#worlds.get('default')
    this.#defaultWorld = defaultWorld
    this.#service = {
      areas,
      explainNotFound: createMissingAreaMessage(catalogue),
      cors: new Cors(options.cors),
      trace: options.trace ?? true,
      worlds: this.#worlds,
      strict: options.strict ? validator : undefined,
      onWorldless: hooks.onWorldless,
      onRequest: catalogue.hooks.onRequest,
      runner: parts.scenarios.runner,
      front: options.proxy && unattached,
      notify: template.notify,
      count: (kind) => this.#count(kind),
      redact: (text) => journal.redact(text, defaultWorld.secretFinders(), longestReason),
      isSecret: (name) => journal.redact(name) !== name,
      random: createRandom(options.seed ?? 1, 'outside'),
    }
    const caseSettings = () => this.#caseSettings()
    this.#worldContext = { ...parts, startRules: createStartRules(catalogue), caseSettings }

    // Each method can be passed on as a function: `afterAll(greenhouse.close)`.
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(AssembledGreenhouse.prototype)))
      if (typeof value === 'function' && name !== 'constructor')
        Object.assign(this, { [name]: (value as (...args: unknown[]) => unknown).bind(this) })
    // Not every browser has the symbol.
    Object.assign(this, { [Symbol.dispose ?? 'dispose']: this.close })
    const { onReply, onWorld } = catalogue.hooks
    if (onReply) this.subscribe(onReply)
    if (onWorld) this.observeChanges(onWorld)
    if (options.persist)
      this.#stopKeeping = cases!.keepInPage(
        { world: defaultWorld, settings: caseSettings, observe: (observer) => this.observeChanges(observer) },
        options.persist,
      )
  }

  static {
    throwAtCallSite(this.prototype, ['world', 'hasWorld', 'deleteWorld', 'reload', 'scenarios', 'variants'])
  }

  close(): void {
    this.#stopKeeping?.()
    for (const cut of this.waiting) cut()
    this.#worlds.end()
    this.#listeners.clear()
    this.#logListeners.clear()
  }

  world(name = 'default'): World {
    rejectSecond('greenhouse.world', arguments, 'Use greenhouse.world(name).reset({ seed: 1 }).')
    if (typeof name !== 'string' || !worldName.test(name))
      throw new RangeError(`Failed to create the world ${showValue(name)}: a name is ${worldNameRule}`)
    return this.#show(this.#worlds.get(name))
  }

  findWorld(name: string): World | undefined {
    const world = this.#worlds.peek(name)
    return world && this.#show(world)
  }

  #show(world: LiveWorld): World {
    return (world.view ??= new World(world, this.#worldContext)) as World
  }

  hasWorld(name: string): boolean {
    return this.#worlds.has(name)
  }

  worlds(): string[] {
    return this.#worlds.list().map((world) => world.name)
  }

  deleteWorld(name: string): boolean {
    return this.#worlds.delete(name)
  }

  handle(request: ServiceRequest): Reply | Promise<Reply> {
    return dispatch(this.#service, request)
  }

  async fetch(request: Request): Promise<Response> {
    assertFetchable()
    const url = new URL(request.url)
    const asked = await toServiceRequest(request, url.pathname, url.search.slice(1), this.bodyLimit)
    const reply = await this.handle(asked)
    if (request.signal.aborted) markSent(reply, 0, true)
    request.signal.throwIfAborted()
    return toFetchResponse(reply, request, this.waiting)
  }

  hasOperation(method: string, path: string): boolean {
    const { path: own } = splitWorld(path)
    const { area, router } = findArea(this.#service.areas, own)
    return router.match(method === 'HEAD' ? 'GET' : method, own.slice(area.base.length)).operation !== undefined
  }

  admit(request: RequestHead, isOwnHost: boolean | undefined): SocketSender | Reply {
    if (isOwnHost === false)
      return this.#rejectAtDoor(request, 'foreign_host', foreignHost(headerOf(request, 'host') ?? ''))
    const sender = this.#service.cors.senderOf(request, isOwnHost === true)
    if (sender !== 'crossOrigin') return sender
    return this.#rejectAtDoor(request, 'foreign_page', foreignPage(headerOf(request, 'origin')))
  }

  /** Rejects in the area's error shape. The request id is not from a world, because the request reaches none. */
  #rejectAtDoor(request: RequestHead, code: string, message: string): Reply {
    const service = this.#service
    const { area } = findArea(service.areas, splitWorld(request.path).path)
    const error = new ApiError('insufficient_permissions', this.redact(message))
    const reply = area.toRejectionReply(error, service.random.id('req'))
    this.log({ event: 'refused', code, request, status: reply.status, reason: message })
    return finish(service, request, addDateOutside(service, reply))
  }

  addCors(request: RequestHead, headers: Record<string, string>): void {
    this.#service.cors.addHeaders(request, headers)
  }

  reload(changes: Reloadable): Unchanged {
    const { fixtures, scenarios, assumptions } = greenhouseRules
    checkOptions('greenhouse.reload', changes, { fixtures, scenarios, assumptions })
    this.#worlds.assertOpen()
    const unchanged = reloadTemplate(this.#template, this.#templateContext, this.#options, changes, this.#worlds.list())
    this.#options = { ...this.#options, ...givenOf(changes) }
    return unchanged
  }

  get options(): GreenhouseOptions {
    return this.#options
  }

  twin(start: { readonly seed: number; readonly now: number }): Greenhouse {
    const { assumptions: _, use: __, persist: ___, hooks: ____, proxy: _____, ...options } = this.#options
    const { initialRecordsAt } = this.#template
    const catalogue = { ...this.catalogue, hooks: {} }
    const parts = { ...this.#parts, catalogue, fixtures: reuseFixtures(this.#template) }
    const made = new AssembledGreenhouse(parts, { ...options, ...start, frozen: true }, { initialRecordsAt })
    const hang = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    made.deliverThrough({ send: (_request, signal) => hang(signal) })
    return made
  }

  #caseSettings(): CaseSettings {
    return {
      by: `greenhouse-mock ${version}`,
      trace: this.#service.trace,
      strict: this.#options.strict ?? false,
      cors: this.#options.cors ?? [],
      scenarios: this.#options.scenarios ?? {},
      assumptions: this.catalogue.assumptionRegistry.resolve({}),
    }
  }

  hide(secret: string): void {
    this.#tokens.add(secret)
    this.#template.tokens.finder = new SecretFinder([...this.#tokens])
  }

  redact(text: string): string {
    return this.#service.redact(text)
  }

  showUrl(request: LoggedRequest): string {
    return this.#parts.journal.toShownUrl(request, this.#defaultWorld.secretFinders())
  }

  subscribe(listener: (entry: JournalEntry) => void): () => void {
    const { toEntry } = this.#parts.journal
    return this.observe((record) => listener(toEntry(record)))
  }

  observe(listener: JournalRecordListener, onLogMessage?: LogEventListener): () => void {
    const stop = addListener(this.#listeners, listener)
    const stopLog = onLogMessage && addListener(this.#logListeners, onLogMessage)
    return () => {
      stop()
      stopLog?.()
    }
  }

  log(event: LogEvent): void {
    if (event.event !== 'delivery') this.#count(event.event === 'refused' ? event.code : event.event)
    for (const listener of this.#logListeners) listener(event)
  }

  #count(kind: string): void {
    this.unrecorded[kind] = (this.unrecorded[kind] ?? 0) + 1
  }

  logRejected(rejected: Omit<RejectedRequest, 'event'>): Record<string, string> {
    this.log({ event: 'refused', ...rejected })
    const headers = {}
    this.addCors(rejected.request, headers)
    return headers
  }

  observeChanges(observer: (change: Change) => void): () => void {
    return this.#template.changes.observe(observer)
  }

  setFilesState(change: Partial<FilesState>): void {
    this.files = { ...this.files, ...change }
    this.#template.changes.notify({ type: 'problems' })
  }

  declareHostWithoutConnections(host: string): void {
    this.#declareHost(host)
  }

  #declareHost(host: string): void {
    const template = this.#template
    const started = template.scenarios.map((choice) =>
      activate(template, choice, template.now ?? systemNow(), template.seed),
    )
    for (const scenario of [...started, ...this.#worlds.list().flatMap((world) => world.active)])
      assertProducible(scenario, host)
    template.hosts.add(host)
  }

  get isFront(): boolean {
    return this.#service.front !== undefined
  }

  answerThrough(front: Front, origins: readonly string[]): () => void {
    this.#service.front = front
    for (const origin of origins) this.#declareHost(origin)
    return () => {
      this.#service.front = unattached
    }
  }

  deliverThrough(transport: WebhookTransport): () => void {
    this.#transports.push(transport)
    return () => {
      this.#transports.splice(this.#transports.indexOf(transport), 1)
      if (this.#transports.length > 0) return
      this.#hasClosedTransports = true
      for (const world of this.#worlds.list()) world.disconnect()
    }
  }

  operations(): OperationSummary[] {
    return this.catalogue.areas.flatMap(({ base, operations }) =>
      operations.map(({ id, method, path, title, scope, source }) => ({
        id: id as OperationId,
        method,
        path: base + path,
        title,
        scope,
        source,
      })),
    )
  }

  scenarios(query: { readonly search?: string | undefined } = {}): ScenarioSummary[] {
    checkOptions('greenhouse.scenarios', query, scenarioQueryRules)
    const library = this.#template.library as Library
    return query.search === undefined ? library.list() : library.search(query.search)
  }

  assumptions(): ReturnType<Greenhouse['assumptions']> {
    return this.catalogue.assumptionRegistry.list() as ReturnType<Greenhouse['assumptions']>
  }

  variants(query?: VariantQuery): Variant[] {
    return listVariants(this.catalogue.assumptionRegistry, this.#options.assumptions, query)
  }
}

const unattached: Front = () => {
  throw new Error(
    'Failed to forward a request: the option "proxy" works with serve() of greenhouse-mock/server, and with createHandlers() of greenhouse-mock/msw.',
  )
}

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
