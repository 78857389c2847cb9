import { version } from '../../../package.json'
import { throwAtCallSite, rejectSecond } from '../../core/contract/options.ts'
import { ApiError } from '../../core/contract/errors.ts'
import { findNode } from '../../core/contract/across-builds.ts'
import { longestReason, quote, showValue } from '../../core/text/messages.ts'
import { Cors } from '../../core/http/cors.ts'
import { markSent, type Reply } from '../../core/http/reply.ts'
import { headerOf, type RequestHead, type SocketSender } from '../../core/http/request.ts'
import type { WebhookTransport } from '../../core/http/webhook-transport.ts'
import type { JournalRecordListener } from '../../core/journal/journal.ts'
import type { LogEventListener } from '../../core/journal/log-events.ts'
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
import type { CaseSettings } from '../../cases/to-case.ts'
import type { FixturePart } from '../../fixtures/part.ts'
import type { Library } from '../../scenarios/language/part.ts'
import { toFetchResponse, toServiceRequest, type Waiting } from '../fetch.ts'
import type { OperationId } from '../generated/known-names.ts'
import { type FilesState, type Greenhouse, type GreenhouseOptions, listVariants } from '../greenhouse.ts'
import { createReset } from '../world-start.ts'
import { PublicWorld, type World } from '../world.ts'
import { createWorldTemplate, type Hooks, type Parts, type TemplateContext } from './parts.ts'
import { type Catalogue, createMissingAreaMessage } from './make-catalogue.ts'
import { checkReload, checkScenarioQuery } from './options.ts'

type Data = Pick<GreenhouseOptions, 'fixtures' | 'scenarios' | 'assumptions'>

/** What people may take off it, as `const { fetch } = greenhouse` does, is a function that needs no `this`. */
export class AssembledGreenhouse implements Greenhouse {
  readonly #options: GreenhouseOptions
  readonly #parts: Parts
  readonly #listeners = new Set<JournalRecordListener>()
  readonly #logListeners = new Set<LogEventListener>()
  readonly #changes = new Changes()
  readonly #transports: WebhookTransport[] = []
  readonly #tokens = new Set<string>()
  readonly #context: TemplateContext
  /** What a new world starts as. */
  readonly #template: WorldTemplate
  readonly #worlds: Worlds
  /** `default` is never dropped, so keep it: each `get` would count as a use. */
  readonly #default: LiveWorld
  /** What answering a request needs. */
  readonly #service: Service
  readonly #view: ConstructorParameters<typeof PublicWorld>[1]
  #hasClosedTransports = false
  #data: Data
  #stopKeeping: (() => void) | undefined

  readonly catalogue: Catalogue
  readonly areas: readonly string[]
  readonly missingParts: readonly string[]
  readonly webhookHosts: readonly string[]
  readonly bodyLimit: number
  readonly unrecorded: Record<string, number> = {}
  readonly waiting: Waiting = new Set()
  files: FilesState = { problems: [], watching: false, loadedAt: systemNow() }

  constructor(parts: Parts, options: GreenhouseOptions, hooks: Hooks = {}) {
    assertUsable()
    const { catalogue } = parts
    this.#options = options
    this.#data = options
    this.#parts = parts
    this.catalogue = catalogue
    // Longest base first, so that the first base that matches a path is the right one.
    const routed = catalogue.areas.toReversed().map((area) => ({ area, router: new Router(area.operations) }))
    this.areas = routed.map(({ area }) => area.name)
    this.missingParts = parts.leftOut
    this.webhookHosts = options.webhooks?.allow ?? []
    this.bodyLimit = options.bodyLimit ?? 2 ** 20
    const validator = parts.createRequestValidator?.(routed)
    this.#context = { parts, hooks, listeners: this.#listeners, validator }
    this.#template = this.#createTemplate()
    this.#worlds = new Worlds(this.#template, options.maxWorlds ?? 10_000)
    this.#default = this.#worlds.get('default')
    this.#service = {
      areas: routed,
      explainNotFound: createMissingAreaMessage(catalogue),
      cors: new Cors(options.cors),
      trace: options.trace ?? true,
      worlds: this.#worlds,
      strict: options.strict ? validator : undefined,
      onWorldless: hooks.onWorldless,
      onRequest: catalogue.hooks.onRequest,
      runner: parts.scenarios.createRunner?.(),
      notify: this.log,
      count: (kind) => this.#count(kind),
      redact: this.redact,
      isSecret: (name) => parts.journal.redact(name) !== name,
      random: createRandom(options.seed ?? 1, 'outside'),
    }
    this.#view = { ...parts, caseSettings: () => this.#caseSettings(), reset: createReset(catalogue) }
    const { onReply, onWorld } = catalogue.hooks
    if (onReply) this.subscribe(onReply)
    if (onWorld) this.#changes.observe(onWorld)
    if (options.persist)
      this.#stopKeeping = parts.cases!.keepInPage(
        { world: this.#default, settings: this.#view.caseSettings, observe: this.observeChanges },
        options.persist,
      )
    throwAtCallSite<Greenhouse>(this, ['world', 'hasWorld', 'deleteWorld', 'reload', 'scenarios', 'variants'])
  }

  #createTemplate(): WorldTemplate {
    // `undefined` if no area has webhooks.
    const { deliveries } = this.catalogue
    const fallback = deliveries?.createTransport(this.webhookHosts, () => this.#template.hosts.has('MSW'))
    return {
      ...createWorldTemplate(this.#context, this.#options),
      memory: new DataMemory(this.#options.dataMemory ?? defaultDataMemory),
      createHistory: this.#parts.cases?.openHistories(),
      replies: new ReplyCache(),
      changes: this.#changes,
      notify: this.log,
      transport: () =>
        this.#transports.at(-1) ??
        (this.#hasClosedTransports && !this.#template.hosts.has('MSW') ? deliveries!.closedTransport : fallback!),
    }
  }

  handle: Greenhouse['handle'] = (request) => dispatch(this.#service, request)

  fetch: Greenhouse['fetch'] = async (request) => {
    assertFetchable()
    const url = new URL(request.url)
    const reply = await this.handle(await toServiceRequest(request, url.pathname, url.search.slice(1), this.bodyLimit))
    if (request.signal.aborted) markSent(reply, 0, true)
    request.signal.throwIfAborted()
    return toFetchResponse(reply, request, this.waiting)
  }

  close: Greenhouse['close'] = () => {
    this.#stopKeeping?.()
    for (const cut of this.waiting) cut()
    this.#worlds.end()
    this.#listeners.clear()
    this.#logListeners.clear()
  }

  declare [Symbol.dispose]: () => void

  static {
    // Not every browser has the symbol.
    Object.defineProperty(this.prototype, Symbol.dispose ?? 'dispose', {
      value(this: AssembledGreenhouse) {
        this.close()
      },
    })
  }

  world: Greenhouse['world'] = (name = 'default', ...more: unknown[]) => {
    rejectSecond('greenhouse.world', [name, ...more], 'Use greenhouse.world(name).reset({ seed: 1 }).')
    if (typeof name !== 'string' || !worldName.test(name))
      throw new RangeError(
        `Failed to create the world ${showValue(name)}: a name is 1 to 64 of the characters A-Z a-z 0-9 . _ -`,
      )
    return this.#show(this.#worlds.get(name))
  }

  hasWorld: Greenhouse['hasWorld'] = (name) => this.#worlds.has(name)

  findWorld: Greenhouse['findWorld'] = (name) => {
    const world = this.#worlds.peek(name)
    return world && this.#show(world)
  }

  worlds: Greenhouse['worlds'] = () => this.#worlds.list().map((world) => world.name)

  deleteWorld: Greenhouse['deleteWorld'] = (name) => this.#worlds.delete(name)

  #show(world: LiveWorld): World {
    return (world.view ??= new PublicWorld(world, this.#view)) as World
  }

  subscribe: Greenhouse['subscribe'] = (listener) => {
    const { toEntry } = this.#parts.journal
    return this.observe((record) => listener(toEntry(record)))
  }

  observe: Greenhouse['observe'] = (listener, log) => {
    // One that is passed twice is called twice, and each call of what this returns ends one of them.
    const own: JournalRecordListener = (record) => listener(record)
    const ownLog: LogEventListener = (event) => log?.(event)
    this.#listeners.add(own)
    if (log) this.#logListeners.add(ownLog)
    return () => {
      this.#listeners.delete(own)
      this.#logListeners.delete(ownLog)
    }
  }

  observeChanges: Greenhouse['observeChanges'] = (observer) => this.#changes.observe(observer)

  log: Greenhouse['log'] = (event) => {
    if (event.event !== 'delivery') this.#count(event.event === 'refused' ? event.code : event.event)
    for (const listener of this.#logListeners) listener(event)
  }

  logRejected: Greenhouse['logRejected'] = (rejected) => {
    this.log({ event: 'refused', ...rejected })
    const headers = {}
    this.addCors(rejected.request, headers)
    return headers
  }

  #count(kind: string): void {
    this.unrecorded[kind] = (this.unrecorded[kind] ?? 0) + 1
  }

  admit: Greenhouse['admit'] = (request, isOwnHost) => admit(this.#service, request, isOwnHost)

  addCors: Greenhouse['addCors'] = (request, headers) => this.#service.cors.addHeaders(request, headers)

  redact: Greenhouse['redact'] = (text) =>
    this.#parts.journal.redact(text, this.#default.secretFinders(), longestReason)

  showUrl: Greenhouse['showUrl'] = (request) => this.#parts.journal.toShownUrl(request, this.#default.secretFinders())

  hide: Greenhouse['hide'] = (secret) => {
    this.#tokens.add(secret)
    this.#template.tokens.finder = new SecretFinder([...this.#tokens])
  }

  setFilesState: Greenhouse['setFilesState'] = (change) => {
    this.files = { ...this.files, ...change }
    this.#changes.notify({ type: 'problems' })
  }

  declareHostWithoutConnections: Greenhouse['declareHostWithoutConnections'] = (host) => {
    const template = this.#template
    const now = template.now ?? systemNow()
    const started = template.scenarios.map((choice) => activate(template, choice, now, template.seed))
    for (const scenario of [...started, ...this.#worlds.list().flatMap((world) => world.active)])
      assertProducible(scenario, host)
    template.hosts.add(host)
  }

  deliverThrough: Greenhouse['deliverThrough'] = (transport) => {
    const transports = this.#transports
    transports.push(transport)
    return () => {
      transports.splice(transports.indexOf(transport), 1)
      if (transports.length > 0) return
      this.#hasClosedTransports = true
      for (const world of this.#worlds.list()) world.disconnect()
    }
  }

  hasOperation: Greenhouse['hasOperation'] = (method, path) => {
    const { path: own } = splitWorld(path)
    const { area, router } = findArea(this.#service.areas, own)
    return router.match(method === 'HEAD' ? 'GET' : method, own.slice(area.base.length)).operation !== undefined
  }

  operations: Greenhouse['operations'] = () =>
    this.catalogue.areas.flatMap(({ base, operations }) =>
      operations.map(({ id, method, path, title, scope, source }) => ({
        id: id as OperationId,
        method,
        path: base + path,
        title,
        scope,
        source,
      })),
    )

  scenarios: Greenhouse['scenarios'] = (query = {}) => {
    checkScenarioQuery(query)
    const library = this.#template.library as Library
    return query.search === undefined ? library.list() : library.search(query.search)
  }

  assumptions: Greenhouse['assumptions'] = () =>
    this.catalogue.assumptionRegistry.list() as ReturnType<Greenhouse['assumptions']>

  variants: Greenhouse['variants'] = (query) =>
    listVariants(this.catalogue.assumptionRegistry, this.#options.assumptions, query)

  #caseSettings(): CaseSettings {
    return {
      by: `greenhouse-mock ${version}`,
      trace: this.#service.trace,
      strict: this.#options.strict ?? false,
      cors: this.#options.cors ?? [],
      scenarios: this.#data.scenarios ?? {},
      assumptions: this.catalogue.assumptionRegistry.resolve({}),
    }
  }

  prepareReload: Greenhouse['prepareReload'] = (fixtures) =>
    this.#parts.fixtures.prepare?.(fixtures, this.catalogue.collections, this.#template.now ?? systemNow()) ?? []

  reload: Greenhouse['reload'] = (changes) => {
    checkReload(changes)
    this.#worlds.assertOpen()
    const template = this.#template
    const { fixtures = this.#data.fixtures, scenarios = this.#data.scenarios } = changes
    const assumptions = changes.assumptions ?? this.#data.assumptions
    const parts = changes.fixtures ? this.#parts : { ...this.#parts, fixtures: reuseFixtures(template) }
    const options = { ...this.#options, fixtures, scenarios, assumptions }
    const { hosts } = template
    const next: WorldTemplate = { ...template, ...createWorldTemplate({ ...this.#context, parts }, options), hosts }
    for (const collection of this.catalogue.collections) next.initialRecordsOf(collection)
    const callers = { name: 'default', collection: next.initialRecordsOf, initialRecordsOf: next.initialRecordsOf }
    for (const choice of next.scenarios) activate({ ...next, callers }, choice, next.now ?? systemNow(), next.seed)
    const formerRecordsOf = template.initialRecordsOf
    const [before, after] = [this.#data.scenarios ?? {}, scenarios ?? {}]
    const names = [...Object.keys(before), ...Object.keys(after)]
    const changed = new Set(names.filter((name) => toComparable(before[name]) !== toComparable(after[name])))
    this.#data = { fixtures, scenarios, assumptions }
    template.library = next.library
    if (changes.assumptions) template.effectiveSettings = next.effectiveSettings
    if (changes.fixtures) {
      template.initialRecordsOf = next.initialRecordsOf
      template.initialRecordsAt = next.initialRecordsAt
      template.pendingRecords = next.pendingRecords
    }
    // Thousands of worlds would send more events than a reader can take.
    const unchanged = this.#changes.quietly(() =>
      followAll(this.#worlds.list(), formerRecordsOf, template.initialRecordsOf, changed),
    )
    this.#changes.notify({ type: 'reload' })
    return unchanged
  }
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
