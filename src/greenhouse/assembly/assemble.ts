import { methodsAtCaller } from '../../core/definitions/at-caller.ts'
import { refuseSecond } from '../../core/definitions/options.ts'
import { admit } from '../../core/pipeline/admission.ts'
import { splitWorld, worldName } from '../../core/pipeline/world-address.ts'
import { systemNow } from '../../core/time/clock.ts'
import { toClockTime } from '../../core/time/time-text.ts'
import { Cors } from '../../core/http/cors.ts'
import { DataMemory } from '../../core/store/data-memory.ts'
import { dispatch } from '../../core/pipeline/dispatch.ts'
import { watchValues, type AssumptionListener } from '../../core/definitions/assumption-values.ts'
import { assertFetchable, assertUsable } from '../../core/time/environment.ts'
import { createOverlay } from '../../core/world/overlay.ts'
import type { JournalRecordListener } from '../../core/journal/journal.ts'
import type { Notice, NoticeListener } from '../../core/journal/notices.ts'
import type { JournalPart } from '../../core/journal/part.ts'
import type { Judge } from '../../core/journal/violation.ts'
import type { RoutedAreas } from '../../core/pipeline/judge/judged.ts'
import { markSent } from '../../core/http/reply.ts'
import { ReplyCache } from '../../core/store/reply-cache.ts'
import type { ServiceRequest } from '../../core/http/request.ts'
import { createRandom } from '../../core/time/random.ts'
import { Router } from '../../core/pipeline/router.ts'
import { SecretFinder } from '../../core/store/secret-finder.ts'
import { findArea, type Service, type WorldlessListener } from '../../core/pipeline/service.ts'
import type { WebhookTransport } from '../../core/http/webhook-transport.ts'
import { activate, assertProducible } from '../../core/world/activate.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import { Changes } from '../../core/world/changes.ts'
import { followAll } from '../../core/world/follow.ts'
import type { WorldOrigin } from '../../core/world/origin.ts'
import { Worlds } from '../../core/world/worlds.ts'
import { toFetchResponse, toServiceRequest } from '../fetch.ts'
import { toComparable } from '../../core/world/comparable.ts'
import type { Fixtures } from '../../fixtures/check.ts'
import type { FixturePart } from '../../fixtures/part.ts'
import type { Library, ScenarioPart } from '../../scenarios/part.ts'
import type { FilesState, Greenhouse, GreenhouseOptions } from '../greenhouse.ts'
import { version } from '../../../package.json'
import type { CasePart } from '../case/part.ts'
import type { Catalogue } from './make-catalogue.ts'
import { defaultDataMemory } from './default-data-memory.ts'
import { createMissingAreaMessage } from './missing-areas.ts'
import { checkReload, checkScenarioQuery } from './options.ts'
import type { OperationId } from '../generated/known-names.ts'
import { toNamedScenarios } from '../../core/world/named-scenarios.ts'
import { listVariants } from '../variants.ts'
import type { WebhookTools } from './webhook-tools.ts'
import { toPublicWorld, type World } from '../world.ts'
import { createResetReader } from '../world-start.ts'

/** The parts of a Greenhouse. */
export interface Parts {
  readonly catalogue: Catalogue
  /** The starting data of worlds. */
  readonly fixtures: FixturePart
  readonly scenarios: ScenarioPart
  readonly journal: JournalPart
  /** `world.trigger`, `world.grade` and `world.examine`; `undefined` without them. */
  readonly webhookTools: WebhookTools | undefined
  /** `world.toCase`; `undefined` without it. */
  readonly cases: CasePart | undefined
  /** Creates the judge; `undefined` without one. */
  readonly createJudge: ((areas: RoutedAreas) => Judge) | undefined
  /** The parts that were left out, by the last segment of their import path: `journal`, `apps`. */
  readonly leftOut: readonly string[]
}

/** Callbacks for internal tools, such as `flip` and strict tests. */
export interface Hooks {
  /** Called with the id of an assumption each time its value is read, in any world. */
  readonly onAssumptionRead?: AssumptionListener | undefined
  /** Called with each request that names no world, which gets a 400. Without this callback, the world `default` answers the request. */
  readonly onWorldless?: WorldlessListener | undefined
  /** The time that times of fixtures are relative to, if it is not the start of clocks. */
  readonly seededAt?: number | undefined
}

/** Assembles a Greenhouse. Its options are already checked. */
export function assemble(parts: Parts, options: GreenhouseOptions, hooks: Hooks = {}): Greenhouse {
  const { areas, collections, assumptionRegistry } = parts.catalogue
  const { onWorldless } = hooks
  assertUsable()
  const listeners = new Set<JournalRecordListener>()
  const noticeListeners = new Set<NoticeListener>()
  const notify = (notice: Notice) => {
    for (const listener of noticeListeners) listener(notice)
  }
  const worldChanges = new Changes()
  const { onRequest, onReply, onWorld } = parts.catalogue.own.hooks
  const routed = areas.map((area) => ({ area, router: new Router(area.operations) }))
  const judge = parts.createJudge?.(routed)
  const start = createResetReader(parts.catalogue)
  const transports: WebhookTransport[] = []
  const webhookHosts = options.webhooks?.allow ?? []
  // `undefined` if no area has webhooks.
  const { deliveries } = parts.catalogue
  const fallback = deliveries?.createTransport(webhookHosts, () => origin.hosts.has('MSW'))
  let hasClosed = false
  const origin: WorldOrigin = {
    ...createOrigin(parts, options, listeners, judge, hooks),
    memory: new DataMemory(options.dataMemory ?? defaultDataMemory),
    createHistory: parts.cases?.openHistories(),
    replies: new ReplyCache(),
    changes: worldChanges,
    notify,
    transport: () =>
      transports.at(-1) ?? (hasClosed && !origin.hosts.has('MSW') ? deliveries!.closedTransport : fallback!),
  }
  let data: Pick<GreenhouseOptions, 'fixtures' | 'scenarios' | 'assumptions'> = options
  const worlds = new Worlds(origin, options.maxWorlds ?? 10_000)
  const publicWorlds = new WeakMap<LiveWorld, World>()
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
    redact: (text) => parts.journal.redactMessage(text),
    random: createRandom(options.seed ?? 1, 'outside'),
  }
  const bodyLimit = options.bodyLimit ?? 2 ** 20
  let files: FilesState = { problems: [], watching: false, loadedAt: systemNow() }
  const tokens = new Set<string>()
  // `default` is never dropped. Later calls of `get` would count as uses of it.
  const defaultWorld = worlds.get('default')
  const handle = (request: ServiceRequest) => dispatch(service, request)
  const worldParts = {
    ...parts,
    caseSettings: () => ({
      by: `greenhouse-mock ${version}`,
      trace: service.trace,
      strict: options.strict ?? false,
      cors: options.cors ?? [],
      scenarios: data.scenarios ?? {},
      assumptions: assumptionRegistry.resolve({}),
    }),
  }
  const publicWorldOf = (world: LiveWorld) => {
    let publicWorld = publicWorlds.get(world)
    if (!publicWorld) publicWorlds.set(world, (publicWorld = toPublicWorld(world, worldParts, start)))
    return publicWorld
  }
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
  const close = () => {
    stopKeeping?.()
    worlds.end()
    listeners.clear()
    noticeListeners.clear()
  }
  const assembled: Greenhouse = {
    close,
    // Not every browser has the symbol.
    ...({ [Symbol.dispose ?? 'dispose']: close } as Disposable),
    bodyLimit,
    handle,
    admit: (request, isOwnHost) => admit(service, request, isOwnHost),
    world(name = 'default') {
      refuseSecond('greenhouse.world', arguments, 'Use greenhouse.world(name).reset({ seed: 1 }).')
      if (!worldName.test(name))
        throw new RangeError(
          `Failed to create the world ${JSON.stringify(name)}: a name is 1 to 64 of the characters A-Z a-z 0-9 . _ -`,
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
    reload(changes) {
      checkReload(changes)
      worlds.assertOpen()
      const { fixtures = data.fixtures, scenarios = data.scenarios, assumptions = data.assumptions } = changes
      const next: WorldOrigin = {
        ...origin,
        ...createOrigin(
          changes.fixtures ? parts : { ...parts, fixtures: reuseFixtures(origin) },
          { ...options, fixtures, scenarios, assumptions },
          listeners,
          judge,
          hooks,
        ),
        hosts: origin.hosts,
      }
      for (const collection of collections) next.seedOf(collection)
      const callers = { name: 'default', collection: next.seedOf, seedOf: next.seedOf }
      for (const choice of next.scenarios) activate({ ...next, callers }, choice, next.now ?? systemNow(), next.seed)
      const formerSeedOf = origin.seedOf
      const changed = changedNames(data.scenarios ?? {}, scenarios ?? {})
      data = { fixtures, scenarios, assumptions }
      origin.library = next.library
      if (changes.assumptions) origin.overlay = next.overlay
      if (changes.fixtures) {
        origin.seedOf = next.seedOf
        origin.seededAt = next.seededAt
        origin.pendingSeeds = next.pendingSeeds
      }
      // Thousands of worlds would send more events than a reader can take.
      const kept = worldChanges.quietly(() => followAll(worlds.list(), formerSeedOf, origin.seedOf, changed))
      worldChanges.notify({ type: 'reload' })
      return kept
    },
    hide(secret) {
      tokens.add(secret)
      origin.tokens.finder = new SecretFinder([...tokens])
    },
    redact: (text) => parts.journal.redactMessage(text, defaultWorld.secretFinders()),
    subscribe(listener) {
      const { toEntry } = parts.journal
      return observe((record) => listener(toEntry(record)))
    },
    observe,
    log: notify,
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
      return toFetchResponse(reply, request)
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

/** Returns a part that reuses the current fixtures instead of reading them again. */
function reuseFixtures({ seedOf, pendingSeeds }: WorldOrigin): FixturePart {
  return { part: 'fixtures', check() {}, seeds: () => ({ of: seedOf, pending: pendingSeeds }) }
}

function createOrigin(
  { catalogue, fixtures: fixturePart, scenarios: scenarioPart, journal: journalPart }: Parts,
  { fixtures, scenarios = {}, seed = 1, now, frozen = false, assumptions = {}, use = [], journal }: GreenhouseOptions,
  listeners: ReadonlySet<JournalRecordListener>,
  judge: Judge | undefined,
  { onAssumptionRead, seededAt: given }: Hooks,
): Omit<WorldOrigin, 'transport' | 'memory' | 'createHistory' | 'replies' | 'changes' | 'notify'> {
  const { areas, collections, contract, definitions, assumptionRegistry, own } = catalogue
  const records = fixtures as Fixtures | undefined
  fixturePart.check(records, collections, own.fixtures)
  const library = scenarioPart.createLibrary({ ...own.scenarios, ...scenarios }, contract)
  const start = now === undefined ? undefined : toClockTime(now)
  const seededAt = given ?? start ?? systemNow()
  const seeds = fixturePart.seeds(records, seededAt, own.fixtures)
  own.check?.(seeds)
  const values = assumptionRegistry.resolve(assumptions as Record<string, string>)
  const overlay = createOverlay([], onAssumptionRead ? watchValues(values, onAssumptionRead) : values)
  const pending = areas.flatMap((area) => area.pending ?? [])
  return {
    hosts: new Set(),
    eventListeners: [...areas.flatMap((area) => area.listen ?? []), ...(own.hooks.onEvent ? [own.hooks.onEvent] : [])],
    lifecycles: areas.flatMap((area) => area.lifecycles ?? []),
    pending,
    seed,
    now: start,
    frozen,
    assumptionRegistry,
    overlay,
    scenarios: toNamedScenarios(use, library),
    createJournal: journalPart.open(journal, {
      operations: contract.operations.map(({ id }) => id),
      missing: contract.missing,
      judge,
      listeners,
    }),
    secretCollections: collections.filter(({ secrets }) => secrets !== undefined),
    tokens: { finder: new SecretFinder([]) },
    library,
    createHeaderLayer: scenarioPart.createHeaderLayer,
    seededAt,
    collections,
    scopes: contract.scopes,
    // A built-in collection may have a schema with more names.
    seedOf: (collection) => seeds.of((definitions[collection.name] ?? collection) as typeof collection),
    pendingSeeds: () => seeds.pending(pending),
  }
}

/** Returns the names whose values differ, or that exist in only one of the two. */
function changedNames(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Set<string> {
  return new Set(
    [...Object.keys(before), ...Object.keys(after)].filter(
      (name) => toComparable(before[name]) !== toComparable(after[name]),
    ),
  )
}
