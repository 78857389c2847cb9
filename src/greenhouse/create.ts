import { admit } from '../core/pipeline/admission.ts'
import { areas, collections, contract, ledger } from './catalogue.ts'
import { worldName } from '../core/pipeline/world-address.ts'
import type { Assumption } from '../core/definitions/assumptions.ts'
import { createClock, toClockTime } from '../core/time/clock.ts'
import { Cors } from '../core/http/cors.ts'
import { DataMemory } from '../core/store/data-memory.ts'
import { dispatch } from '../core/pipeline/dispatch.ts'
import { assertFetchable, assertUsable } from '../core/time/environment.ts'
import { createOverlay } from '../core/world/overlay.ts'
import type { NoteListener } from '../core/journal/journal.ts'
import type { Notice, NoticedRequest, NoticeListener } from '../core/journal/notices.ts'
import { JournalBudget } from '../core/journal/journal-budget.ts'
import { toEntry, toShownUrl, type JournalEntry } from '../core/journal/journal-entry.ts'
import { DataError } from '../core/definitions/problem.ts'
import { redactMessage } from '../core/journal/redact.ts'
import { tellLeft, type Reply } from '../core/http/reply.ts'
import { ReplyCache } from '../core/store/reply-cache.ts'
import type { RequestHead, Sender, ServiceRequest } from '../core/http/request.ts'
import { createRandom } from '../core/time/random.ts'
import { Router } from '../core/pipeline/router.ts'
import { SecretFinder } from '../core/store/secret-finder.ts'
import type { Service } from '../core/pipeline/service.ts'
import { closedTransport, createFetchTransport, type WebhookTransport } from '../core/http/webhook-transport.ts'
import { activate, assertProducible } from '../core/world/activate.ts'
import type { World as CoreWorld } from '../core/world/world.ts'
import { followAll } from '../core/world/follow.ts'
import type { Kept, WorldOrigin } from '../core/world/origin.ts'
import { Worlds } from '../core/world/worlds.ts'
import { bundledFixtures } from '../fixtures/bundled.ts'
import { checkFixtures, type Fixtures } from '../fixtures/check.ts'
import { Seeds } from '../fixtures/seeds.ts'
import { toFetchResponse, toServiceRequest } from './fetch.ts'
import { toComparable } from '../core/world/comparable.ts'
import { bundledScenarios } from '../scenarios/bundled.ts'
import { checkScenario } from '../scenarios/check.ts'
import { ScenarioLibrary, type ScenarioSummary } from '../scenarios/library.ts'
import type { ScenarioFile } from '../scenarios/schema.ts'
import { searchScenarios } from '../scenarios/search.ts'
import { checkGreenhouseOptions, checkReload, checkScenarioQuery } from './options.ts'
import type { OperationId } from './known-names.ts'
import type { AssumptionChoices, AssumptionId, ScenarioChoice } from './names.ts'
import { toNamedScenario } from '../core/world/scenario-choice.ts'
import { toPublicWorld, type World } from './world.ts'

/** How a Greenhouse starts; all of it is optional. */
export interface GreenhouseOptions {
  /** The data that every world starts from, in place of the default one: records by collection, as fixture files write them. */
  fixtures?: Fixtures
  /** Scenarios by name, beside those that come with the package; one of the same name takes its place. */
  scenarios?: Readonly<Record<string, unknown>>
  /** What chance comes from: the same seed gives the same ids and faults. 1 by default. */
  seed?: number
  /** Where every world's clock starts, ISO 8601 or milliseconds since 1970; the machine's time by default. */
  now?: string | number
  /** Assumptions of every world, by id. */
  assumptions?: AssumptionChoices
  /** Scenarios that are active in every world from the start: `['expired-key', 'slow:ms=800', { name: 'rate-limited-plan', window: 'day' }]`. */
  use?: readonly ScenarioChoice[]
  /** Origins whose pages may call the service, besides those of this machine; `'*'` for all. */
  cors?: readonly string[]
  /** Whether replies carry the X-Greenhouse header. True by default. */
  trace?: boolean
  /** The largest body that is read, in bytes. 1 MiB by default. */
  bodyLimit?: number
  /** How many worlds there can be at once; past it the least recently used one that is not pinned is dropped. 10,000 by default. */
  maxWorlds?: number
  /**
   * How much a world's journal holds, 1,000 entries and 16 MiB by default; and how much all of them hold together, `memory`,
   * in bytes, 128 MiB by default. Past that the oldest entries make room, whichever world they are of.
   */
  journal?: { entries?: number; bytes?: number; memory?: number }
  /** How many bytes of data requests may leave in all worlds together; past it the least recently used worlds are dropped, then writes are refused. 64 MiB by default. */
  dataMemory?: number
  /** `allow`: hosts that webhooks may be delivered to besides this machine's loopback addresses. */
  webhooks?: { allow?: readonly string[] }
}

/** An operation as it is told of. */
export interface OperationSummary {
  readonly id: OperationId
  readonly method: string
  /** From the service's root. */
  readonly path: string
  readonly title: string
  readonly scope: string
  readonly source: string
}

/** The whole mock: worlds, and what they share. */
export interface Greenhouse {
  /** The world of that name, made on first use. @throws RangeError when the name is not 1 to 64 of `A-Z a-z 0-9 . _ -`, DroppedWorldError when it was dropped to make room. */
  world(name?: string): World
  /** Whether there is a world of that name; asking does not make it. @throws DroppedWorldError when it was dropped to make room. */
  hasWorld(name: string): boolean
  /** The names of the worlds that there are, the least recently used one first. */
  worlds(): string[]
  /** Forgets a world, so that the next use of its name makes a new one; `default` starts anew at once. Tells whether there was one. */
  deleteWorld(name: string): boolean
  /**
   * Swaps what worlds start from; what is absent stays. New worlds and resets start from it. In worlds that there are, the
   * collections that nothing was written to go over to it at once, and so do active scenarios whose file changed, with the
   * same options. Gives the scenarios that can't, and the collections that were written to and would start otherwise now: they
   * stay as they are until their world is reset.
   * @throws DataError when something is wrong, RangeError when a scenario that every world starts with can't be used; then nothing changed.
   */
  reload(changes: Pick<GreenhouseOptions, 'fixtures' | 'scenarios'>): Kept
  /** Calls back with every entry of any world's journal from now on, as `journal.subscribe` does, until what it returns is called. */
  subscribe(listener: (entry: JournalEntry) => void): () => void
  /** The same with the entry as the journal keeps it, for a log that must not slow the service; and what no journal has. @internal */
  observe(listener: NoteListener, noticed?: NoticeListener): () => void
  /** Tells those who observe what no journal has. @internal */
  tell(notice: Notice): void
  /** The line of a request without secrets, as the journal shows it. @internal */
  showUrl(request: NoticedRequest): string
  /** Answers a request with no server at all; of the URL the path and the query count. */
  fetch(request: Request): Promise<Response>
  /**
   * Is asked by what listens on a socket, before `handle` and before the body is read: gives who sent the request, or the reply
   * that turns it away because no page that sent it may. @param isOwnHost whether the server goes by the name in the Host header; `undefined` where nobody looked. @internal
   */
  admit(request: RequestHead, isOwnHost: boolean | undefined): Sender | Reply
  /** Answers a request that an adapter translated, which tells with `tellLeft` how the reply left. */
  handle(request: ServiceRequest): Promise<Reply>
  /**
   * Tells that requests are answered by something that has no connection of its own, such as MSW: from then on a scenario
   * with a fault that takes one is refused. @throws RangeError when one is active already. @internal
   */
  attach(host: string): void
  /** Lets nothing that is shown of requests hold a secret that is no key: the token of a control API. @internal */
  hide(secret: string): void
  /** A text that quotes a request, without the secrets that the world `default` knows and what looks like one. @internal */
  redact(text: string): string
  /**
   * Lets deliveries to webhooks leave another way until what it returns is called. With the last such way deliveries end: what
   * is under way is cut, what waits is dropped, and what falls due later fails, unless MSW answers. @internal
   */
  deliverThrough(transport: WebhookTransport): () => void
  /** Hosts that webhooks may be delivered to besides loopback addresses. @internal */
  readonly webhookHosts: readonly string[]
  /** The largest body that is read, in bytes. */
  readonly bodyLimit: number
  /** Every operation of both areas. */
  operations(): OperationSummary[]
  /** Every scenario that can be used, by name; with `search` those that have all its words, the nearest first. @throws TypeError */
  scenarios(query?: { readonly search?: string | undefined }): ScenarioSummary[]
  /** Everything that the reference leaves open, with its default first among the values. */
  assumptions(): ({ id: AssumptionId } & Assumption)[]
}

/**
 * Makes a Greenhouse: both areas in memory, with nothing started and nothing read from disk. It runs in Node and in a browser.
 * @throws DataError when fixtures or scenarios are wrong, RangeError for an unknown assumption or scenario or a time that is
 * none, TypeError for an option that there is not, Error where a global that it needs is missing or timers were faked before it was loaded.
 */
export function createGreenhouse(options: GreenhouseOptions = {}): Greenhouse {
  checkGreenhouseOptions('createGreenhouse', options)
  assertUsable()
  const listeners = new Set<NoteListener>()
  const noticeListeners = new Set<NoticeListener>()
  const tell = (notice: Notice) => {
    for (const listener of noticeListeners) listener(notice)
  }
  const transports: WebhookTransport[] = []
  const webhookHosts = options.webhooks?.allow ?? []
  const fallback = createFetchTransport(webhookHosts, () => origin.hosts.has('MSW'))
  let hasClosed = false
  const origin: WorldOrigin = {
    ...createOrigin(options, listeners),
    memory: new DataMemory(options.dataMemory ?? 2 ** 26),
    replies: new ReplyCache(),
    tell,
    transport: () => transports.at(-1) ?? (hasClosed && !origin.hosts.has('MSW') ? closedTransport : fallback),
  }
  let data: Pick<GreenhouseOptions, 'fixtures' | 'scenarios'> = options
  const worlds = new Worlds(origin, options.maxWorlds ?? 10_000)
  const faces = new WeakMap<CoreWorld, World>()
  const service: Service = {
    areas: areas.map((area) => ({ area, router: new Router(area.operations) })),
    cors: new Cors(options.cors),
    trace: options.trace ?? true,
    worlds,
    tell,
    random: createRandom(options.seed ?? 1, 'outside'),
  }
  const bodyLimit = options.bodyLimit ?? 2 ** 20
  const tokens = new Set<string>()
  // It is never dropped. Asking for it now, not later, leaves the order of use alone.
  const standard = worlds.get('default')
  const handle = (request: ServiceRequest) => dispatch(service, request)
  const observe: Greenhouse['observe'] = (listener, noticed) => {
    const own: NoteListener = (note) => listener(note)
    listeners.add(own)
    const ownNoticed: NoticeListener = (notice) => noticed?.(notice)
    if (noticed) noticeListeners.add(ownNoticed)
    return () => {
      listeners.delete(own)
      noticeListeners.delete(ownNoticed)
    }
  }
  return {
    bodyLimit,
    handle,
    admit: (request, isOwnHost) => admit(service, request, isOwnHost),
    world(name = 'default') {
      if (!worldName.test(name)) throw new RangeError(`Failed to make the world ${JSON.stringify(name)}: a name is 1 to 64 of the characters A-Z a-z 0-9 . _ -`)
      const world = worlds.get(name)
      let face = faces.get(world)
      if (!face) faces.set(world, (face = toPublicWorld(world)))
      return face
    },
    hasWorld: (name) => worlds.has(name),
    worlds: () => worlds.list().map((world) => world.name),
    deleteWorld: (name) => worlds.delete(name),
    reload(changes) {
      checkReload(changes)
      const { fixtures = data.fixtures, scenarios = data.scenarios } = changes
      const next: WorldOrigin = { ...origin, ...createOrigin({ ...options, fixtures, scenarios }, listeners), hosts: origin.hosts }
      for (const collection of collections) next.seedOf(collection)
      for (const choice of next.scenarios) {
        activate(next, choice, createClock(next.now).now(), next.seed)
      }
      const formerSeedOf = origin.seedOf
      const changed = differing(data.scenarios ?? {}, scenarios ?? {})
      data = { fixtures, scenarios }
      origin.library = next.library
      if (changes.fixtures) {
        origin.seedOf = next.seedOf
        origin.pendingSeeds = next.pendingSeeds
      }
      return followAll(worlds.list(), formerSeedOf, origin.seedOf, changed)
    },
    hide(secret) {
      tokens.add(secret)
      origin.tokens.finder = new SecretFinder([...tokens])
    },
    redact: (text) => redactMessage(text, standard.secretFinders()),
    subscribe: (listener) => observe((note) => listener(toEntry(note))),
    observe,
    tell,
    showUrl: (request) => toShownUrl(request, standard.secretFinders()),
    async fetch(request) {
      assertFetchable()
      const url = new URL(request.url)
      const reply = await handle(await toServiceRequest(request, url.pathname, url.search.slice(1), bodyLimit))
      if (request.signal.aborted) tellLeft(reply, 0, true)
      request.signal.throwIfAborted()
      return toFetchResponse(reply, request)
    },
    attach(host) {
      const started = origin.scenarios.map((choice) => activate(origin, choice, createClock(origin.now).now(), origin.seed))
      for (const scenario of [...started, ...worlds.list().flatMap((world) => world.active)]) assertProducible(scenario, host)
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
    operations: () =>
      areas.toReversed().flatMap(({ base, operations }) =>
        operations.map(({ id, method, path, title, scope, source }) => ({ id: id as OperationId, method, path: base + path, title, scope, source })),
      ),
    scenarios(query = {}) {
      checkScenarioQuery(query)
      const all = (origin.library as ScenarioLibrary).list()
      return query.search === undefined ? all : searchScenarios(all, query.search)
    },
    assumptions: () => ledger.list() as ReturnType<Greenhouse['assumptions']>,
  }
}

function createOrigin({ fixtures, scenarios = {}, seed = 1, now, assumptions = {}, use = [], journal }: GreenhouseOptions, listeners: ReadonlySet<NoteListener>): Omit<WorldOrigin, 'transport' | 'memory' | 'replies' | 'tell'> {
  if (fixtures) assertSound('fixtures', checkFixtures([{ file: 'fixtures', data: fixtures }], collections))
  assertSound('scenarios', Object.entries(scenarios).flatMap(([name, data]) => checkScenario(name, name, data, contract)))
  const start = now === undefined ? undefined : toClockTime(now)
  const seeds = new Seeds(fixtures ? [fixtures] : bundledFixtures, start ?? createClock().now(), { areValid: !fixtures })
  const overlay = createOverlay([], ledger.resolve(assumptions as Record<string, string>))
  const pending = areas.flatMap((area) => area.pending ?? [])
  return {
    hosts: new Set(),
    eventListeners: areas.flatMap((area) => area.listen ?? []),
    lives: areas.flatMap((area) => area.lives ?? []),
    pending,
    seed,
    now: start,
    ledger,
    overlay,
    scenarios: use.map(toNamedScenario),
    journal: { entries: journal?.entries ?? 1_000, bytes: journal?.bytes ?? 2 ** 24, budget: new JournalBudget(journal?.memory ?? 2 ** 27), operations: contract.operations.map(({ id }) => id), listeners },
    secretCollections: collections.filter(({ secrets }) => secrets !== undefined),
    tokens: { finder: new SecretFinder([]) },
    library: new ScenarioLibrary(new Map([...bundledScenarios, ...(Object.entries(scenarios) as [string, ScenarioFile][])]), contract),
    seedOf: (collection) => seeds.of(collection),
    pendingSeeds: () => seeds.pending(pending),
  }
}

/** The names whose values differ, or that only one of the two has. */
function differing(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): Set<string> {
  return new Set([...Object.keys(before), ...Object.keys(after)].filter((name) => toComparable(before[name]) !== toComparable(after[name])))
}

function assertSound(what: string, problems: DataError['problems']): void {
  if (problems.length > 0) throw new DataError(what, problems)
}
