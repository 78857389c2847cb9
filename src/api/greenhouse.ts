import { codedError } from '../core/text/error-codes.ts'
import { worldName, worldNameRule } from '../core/http/urls.ts'
import { version } from '../../package.json'
import {
  bindMethods,
  givenOf,
  rejectSecondArgument,
  throwAtCallSite,
} from '../core/contract/options.ts'
import { checkOptions } from '../core/store/options.ts'
import type { Assumption } from '../core/contract/assumptions.ts'
import { showValue } from '../core/text/messages.ts'
import { markSent, type Reply } from '../core/http/reply.ts'
import type { RequestHead, ServiceRequest, SocketSender } from '../core/http/request.ts'
import type { WebhookTransport } from '../core/http/webhook-transport.ts'
import { type JournalEntry, toEntry, toShownUrl } from '../core/journal/journal-entry.ts'
import type { LoggedRequest } from '../core/journal/log-events.ts'
import { dispatch } from '../core/pipeline/dispatch.ts'
import type { Front, Service } from '../core/pipeline/service.ts'
import { Router } from '../core/pipeline/router.ts'
import { createRequestValidator } from '../core/pipeline/validate/index.ts'
import { Memory, ReplyCache } from '../core/store/memory.ts'
import { SecretFinder } from '../core/secrets/known-secrets.ts'
import { assertFetchable, assertUsable, systemNow } from '../core/time/clock.ts'
import { type Change, Changes } from '../core/world/changes.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import type { Unchanged } from '../core/world/world-template.ts'
import { Worlds } from '../core/world/worlds.ts'
import { keepInPage } from '../cases/keep-in-page.ts'
import type { CaseSettings } from '../cases/world-case.ts'
import type { ScenarioSummary } from '../scenarios/language/scenario-summary.ts'
import { admit } from './door.ts'
import { toFetchResponse, toRequest, toServiceRequest, type Waiting } from './fetch.ts'
import type { FilesState } from './files-state.ts'
import type { OperationId } from './generated/known-names.ts'
import { listVariants, type Variant, type VariantQuery } from './variants.ts'
import type { NoNames, OwnNames } from '../catalogue/inferred-names.ts'
import type { AssumptionId, OperationSummary } from './names.ts'
import { World, type WorldContext } from './world.ts'
import { RequestFeed } from './request-feed.ts'
import { createStartSchemas } from './world-start.ts'
import type { Catalogue } from '../catalogue/fold-areas.ts'
import {
  type GreenhouseOptions,
  greenhouseSchemas,
  scenarioQuerySchemas,
  type ReloadOptions,
} from './options.ts'
import {
  createWorldHooks,
  createWorldTemplate,
  defaultMemory,
  type Hooks,
  type Parts,
  reloadTemplate,
  type ServiceTemplate,
  type TemplateContext,
} from './assembly/template.ts'
import { addHost, createService, listScenarios, Transports, unattached } from './assembly/hosts.ts'
import { cached } from '../core/contract/cache.ts'
import type { ScenarioLibrary } from '../scenarios/language/library.ts'

export type { GreenhouseOptions } from './options.ts'
export type { ProxyOptions } from '../proxy/message.ts'

/**
 * The whole mock: its worlds, and what they share.
 * @example
 * const greenhouse = createGreenhouse({ seed: 1 })
 * const world = greenhouse.world('checkout')
 * const response = await greenhouse.fetch(new Request('http://greenhouse.test/plants', { headers: { authorization: `Bearer ${world.key('key_pro')}` } }))
 */
export class Greenhouse<Own extends OwnNames = NoNames> implements Disposable {
  /** The areas, with all that was added to them. @internal */
  readonly catalogue: Catalogue
  /** The state that a new world starts with. */
  readonly #template: ServiceTemplate
  readonly #worlds: Worlds
  /** The worlds as people get them, once somebody asked for one. */
  readonly #shown = new WeakMap<LiveWorld, World<Own>>()
  readonly #defaultWorld: LiveWorld
  /** The parts that a request needs on its way. @internal */
  readonly service: Service
  /** What changes in worlds, and in their files. @internal */
  readonly changes = new Changes()
  readonly #templateContext: TemplateContext
  readonly #worldContext: WorldContext
  readonly #transports: Transports
  readonly #tokens = new Set<string>()
  readonly #stopKeeping: (() => void) | undefined
  #options: Readonly<GreenhouseOptions>
  /** The largest request body, in bytes. */
  readonly bodyLimit: number
  /** The requests that wait for a reply that a scenario holds back; `close` cuts them. @internal */
  readonly waiting: Waiting = new Set()
  /** @internal */
  readonly requests: RequestFeed
  /** The last state of the files of fixtures and scenarios. @internal */
  files: FilesState = {
    problems: [],
    watching: false,
    loadedAt: systemNow(),
  }
  declare [Symbol.dispose]: () => void

  /** @internal */
  constructor(parts: Parts, options: GreenhouseOptions, hooks: Hooks = {}) {
    assertUsable()
    const { catalogue } = parts
    this.#options = options
    this.bodyLimit = options.bodyLimit ?? 2 ** 20
    this.catalogue = catalogue

    // Longest base first, so that the first base that matches a path is the right one.
    const areas = catalogue.areas.toReversed().map((area) => ({
      area,
      router: new Router(area.operations),
    }))
    const validator = createRequestValidator(areas)
    this.requests = new RequestFeed(this.changes)
    this.#templateContext = {
      parts,
      hooks,
      listeners: this.requests.listeners,
      validator,
    }
    const made = createWorldTemplate(this.#templateContext, options)
    this.#transports = new Transports(catalogue.deliveries, options.webhooks?.allow, made.hosts)
    this.#template = {
      ...made,
      memory: new Memory(options.memory ?? defaultMemory),
      replies: new ReplyCache(),
      changes: this.changes,
      notify: this.requests.log,
      transport: () => this.#transports.current(),
    }
    const worldHooks = createWorldHooks(catalogue, this.#template)
    this.#worlds = new Worlds(this.#template, worldHooks, options.maxWorlds ?? 10_000)
    // `default` is never dropped, so keep it: each `get` would count as a use.
    this.#defaultWorld = this.#worlds.get('default')
    const inService = {
      areas,
      worlds: this.#worlds,
      requests: this.requests,
    }
    this.service = createService(inService, this.#templateContext, options)
    const startSchemas = createStartSchemas(catalogue)
    const caseSettings = () => this.#caseSettings()
    this.#worldContext = {
      catalogue,
      startSchemas,
      caseSettings,
    }
    bindMethods(this, Greenhouse.prototype)
    // Some browsers lack the symbol.
    Object.assign(this, { [Symbol.dispose ?? 'dispose']: this.close })
    const { onReply, onWorld } = catalogue.hooks
    if (onReply) this.subscribe(onReply)
    if (onWorld) this.changes.observe(onWorld)
    const kept = {
      world: this.#defaultWorld,
      code: {
        use: options.use,
        fixtures: options.fixtures,
      },
      settings: caseSettings,
      observe: (observer: (change: Change) => void) => this.changes.observe(observer),
    }
    if (options.persist) this.#stopKeeping = keepInPage(kept, options.persist)
  }

  /** The options that it was created with, and those of the last reload. @internal */
  get options(): Readonly<GreenhouseOptions> {
    return this.#options
  }

  static {
    throwAtCallSite(this.prototype, [
      'world',
      'hasWorld',
      'deleteWorld',
      'reload',
      'scenarios',
      'variants',
    ])
  }

  /**
   * Ends all worlds with their scheduled work, deliveries and journals, and frees their data. Does
   * not close servers: close them first. Afterwards, requests get 503 and `world()` throws. A
   * second call does nothing. `using greenhouse = createGreenhouse()` closes the Greenhouse at the
   * end of the block. An unreferenced Greenhouse is freed without `close`.
   */
  close(): void {
    this.#stopKeeping?.()
    for (const cut of this.waiting) cut()
    this.#worlds.end()
    this.requests.end()
  }

  /**
   * Returns the world with that name; creates it on first use. @param name `default` by default.
   * @throws RangeError when the name is not 1 to 64 of the characters `A-Z a-z 0-9 . _ -`;
   * DroppedWorldError when the world was dropped to make room for others; ClosedError after
   * `close`.
   */
  world(name = 'default'): World<Own> {
    rejectSecondArgument(
      'greenhouse.world',
      arguments,
      'Use greenhouse.world(name).reset({ seed: 1 }).',
    )
    if (typeof name !== 'string' || !worldName.test(name))
      throw codedError(
        'GREENHOUSE_INVALID_VALUE',
        `Failed to create the world ${showValue(name)}: a name is ${worldNameRule}`,
      )
    return this.#show(this.#worlds.get(name))
  }

  /** Returns the world if it exists. This does not count as a use. @internal */
  findWorld(name: string): World<Own> | undefined {
    const world = this.#worlds.peek(name)
    return world && this.#show(world)
  }

  #show(world: LiveWorld): World<Own> {
    return cached(this.#shown, world, () => new World<Own>(world, this.#worldContext))
  }

  /**
   * Returns whether the world exists. Does not create it. @throws DroppedWorldError when the world
   * was dropped to make room for others.
   */
  hasWorld(name: string): boolean {
    return this.#worlds.has(name)
  }

  /** The names of all worlds, the least recently used one first. */
  worlds(): string[] {
    return this.#worlds.list().map((world) => world.name)
  }

  /**
   * Deletes a world and returns whether it existed. The next use of its name creates a new world.
   * `default` is reset instead.
   */
  deleteWorld(name: string): boolean {
    return this.#worlds.delete(name)
  }

  /**
   * Answers a request of an adapter: synchronously, unless a scenario delays the reply. The adapter
   * calls `markSent` after it has sent the reply. @internal
   */
  handle(request: ServiceRequest): Reply | Promise<Reply> {
    return dispatch(this.service, request)
  }

  /**
   * Answers a request, without a server. Takes what the global `fetch` takes, or a path. Uses the
   * path and the query of the URL, and ignores its origin.
   */
  async fetch(input: Request | URL | string, init?: RequestInit): Promise<Response> {
    assertFetchable()
    const request = toRequest(input, init)
    const url = new URL(request.url)
    const own = await toServiceRequest(request, url.pathname, url.search.slice(1), this.bodyLimit)
    // A request that is aborted by now is never sent, as with a real `fetch`.
    request.signal.throwIfAborted()
    const reply = await this.handle(own)
    if (request.signal.aborted) markSent(reply, 0, true)
    request.signal.throwIfAborted()
    return toFetchResponse(reply, request, this.waiting)
  }

  /**
   * Checks the origin of a request on a socket, before its body is read. Returns the sender, or the
   * reply that refuses it. @param isOwnHost whether the Host header names this server; `undefined`
   * if it was not checked. @internal
   */
  admit(request: RequestHead, isOwnHost: boolean | undefined): SocketSender | Reply {
    return admit(this.service, request, isOwnHost)
  }

  /**
   * Replaces the fixtures, the scenarios, the assumptions, or several of them. New worlds and
   * resets start from them. Existing worlds immediately take the new fixtures for collections
   * without writes, and activate changed scenarios again with the same options. Returns the
   * collections and scenarios that stay as they are until their world is reset. @throws DataError
   * if fixtures or scenarios are invalid; RangeError if a scenario of the option `use` is invalid.
   * In both cases nothing changes.
   */
  reload(changes: ReloadOptions): Unchanged {
    const { fixtures, scenarios, assumptions } = greenhouseSchemas
    checkOptions('greenhouse.reload', changes, {
      fixtures,
      scenarios,
      assumptions,
    })
    this.#worlds.assertOpen()
    const unchanged = reloadTemplate(
      this.#template,
      this.#templateContext,
      {
        before: this.options,
        changes,
      },
      this.#worlds.list(),
    )
    this.#options = { ...this.#options, ...givenOf(changes) }
    return unchanged
  }

  #caseSettings(): CaseSettings {
    return {
      by: `greenhouse-mock ${version}`,
      trace: this.service.trace,
      strict: this.options.strict ?? false,
      cors: this.options.cors ?? [],
      scenarios: (this.#template.library as ScenarioLibrary).ownFiles,
      assumptions: this.catalogue.assumptionRegistry.resolve({}),
    }
  }

  /**
   * Hides a secret that is not a key, such as the control API's token, wherever requests are shown.
   * @internal
   */
  hide(secret: string): void {
    this.#tokens.add(secret)
    this.#template.tokens.finder = new SecretFinder([...this.#tokens])
  }

  /** Returns the URL of a request without secrets, as the journal shows it. @internal */
  showUrl(request: LoggedRequest): string {
    return toShownUrl(request, this.#defaultWorld.secretFinders())
  }

  /**
   * Calls `listener` with every new journal entry of every world, as `world.journal.subscribe`
   * does. Returns a function that unsubscribes.
   */
  subscribe(listener: (entry: JournalEntry) => void): () => void {
    return this.requests.observe((record) => listener(toEntry(record)))
  }

  /** @internal */
  setFilesState(change: Partial<FilesState>): void {
    this.files = { ...this.files, ...change }
    this.changes.notify({ type: 'problems' })
  }

  /**
   * Declares a host without its own connections, such as MSW. From then on, scenarios whose fault
   * needs a connection are refused. @throws RangeError if one of them is active. @internal
   */
  declareHostWithoutConnections(host: string): void {
    addHost(this.#template, this.#worlds.list(), host)
  }

  /**
   * Answers from a real service until the returned function is called. @param origins what
   * scenarios that need the mock's own state are refused for; empty if the mock answers some
   * requests. @internal
   */
  answerThrough(front: Front, origins: readonly string[]): () => void {
    this.service.front = front
    for (const origin of origins) this.declareHostWithoutConnections(origin)
    return () => {
      this.service.front = unattached
    }
  }

  /**
   * Sends webhook deliveries through `transport` until the returned function is called. Without any
   * transport, deliveries end: running ones are cut, waiting ones are dropped, and later ones fail,
   * unless MSW answers them.
   * @internal
   */
  deliverThrough(transport: WebhookTransport): () => void {
    const remove = this.#transports.add(transport)
    return () => {
      const isLast = remove()
      if (isLast) for (const world of this.#worlds.list()) world.tellAreas('disconnect')
    }
  }

  /** Lists every operation of the areas that it serves. */
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

  /**
   * Lists every scenario, by name. With `search`, lists the scenarios that have all its words, the
   * best match first.
   * @example greenhouse.scenarios({ search: '429 retry' })
   * @throws TypeError for an unknown option.
   */
  scenarios(query: { readonly search?: string | undefined } = {}): ScenarioSummary[] {
    checkOptions('greenhouse.scenarios', query, scenarioQuerySchemas)
    return listScenarios(this.#template, query.search)
  }

  /** Lists every assumption: its id, its question, and its values, the default first. */
  assumptions(): ({ id: AssumptionId } & Assumption)[] {
    return this.catalogue.assumptionRegistry.list() as ({ id: AssumptionId } & Assumption)[]
  }

  /**
   * Lists every variant: one assumption with a value other than its current one. For tests that run
   * once for each variant. `only` selects assumptions by id or glob.
   * @throws RangeError when `only` finds no assumption, TypeError for an unknown option.
   * @example describe.each(greenhouse.variants())('$title', ({ assumptions }) => { … })
   */
  variants(query?: VariantQuery): Variant[] {
    return listVariants(this.catalogue.assumptionRegistry, this.options.assumptions, query)
  }
}
