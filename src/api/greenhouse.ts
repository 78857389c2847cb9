import type { AreaName } from '../areas/event-types.ts'
import type { PlanFixture } from '../core/accounts/accounts.ts'
import type { Assumption, AssumptionRegistry } from '../core/contract/assumptions.ts'
import type { JournalRecordListener } from '../core/journal/journal.ts'
import type { LogEvent, LoggedRequest, LogEventListener, RejectedRequest } from '../core/journal/log-events.ts'
import type { JournalEntry } from '../core/journal/journal-entry.ts'
import type { Reply } from '../core/http/reply.ts'
import type { RequestHead, SocketSender, ServiceRequest } from '../core/http/request.ts'
import type { WebhookTransport } from '../core/http/webhook-transport.ts'
import type { Front } from '../core/pipeline/dispatch.ts'
import type { Problem } from '../core/contract/problem.ts'
import type { Case } from '../cases/generated/case.ts'
import { checkOptions, type RulesFor } from '../core/contract/options.ts'
import { globFilter } from '../core/text/values.ts'
import { describeProblem, quote } from '../core/text/messages.ts'
import type { Change } from '../core/world/changes.ts'
import type { Unchanged, UnchangedRecords, UnchangedScenario } from '../core/world/world-template.ts'
import type { GreenhouseHooks, OwnCollection, OwnOperation, Plugin } from '../custom/definitions.ts'
import type { Fixtures } from '../fixtures/check.ts'
import type { ExtendingFixtures } from '../fixtures/resolve.ts'
import type { ScenarioSummary } from '../scenarios/language/scenario-summary.ts'
import type { Catalogue } from './assembly/make-catalogue.ts'
import type { Waiting } from './fetch.ts'
import type { AssumptionValues, OperationId } from './generated/known-names.ts'
import type { AssumptionChoices, AssumptionId, ScenarioChoice } from './types/names.ts'
import type { World } from './world.ts'

/** The options of `createGreenhouse`. All of them are optional. */
export interface GreenhouseOptions {
  /**
   * The areas to serve: the plant store, app management, or both (the default). Requests to the other area get 404; its
   * data stays.
   */
  areas?: readonly AreaName[] | undefined
  /** The data that every world starts with: records by collection, in the form of fixture files. The bundled fixtures by default; `extends: 'default'` adds to them. */
  fixtures?: Fixtures | ExtendingFixtures | undefined
  /** Your own scenarios, by name. They are added to the bundled ones; one with the same name replaces a bundled one. */
  scenarios?: Readonly<Record<string, unknown>> | undefined
  /**
   * Where every world starts: as the world of a case did, before its steps. Other options win over it; `fixtures` is refused
   * next to it. `replayCase` of `greenhouse-mock/case` takes the steps too.
   */
  case?: Case | undefined
  /**
   * Keeps the data, clock, scenarios and assumptions of the world `default` in the storage of the page, so that they survive
   * a reload. With `local`, they survive the tab, and all tabs of the origin agree. Quotas and the journal begin again.
   * @example createGreenhouse({ persist: 'session' })
   */
  persist?: 'session' | 'local' | undefined
  /** The seed of all random values. The same seed gives the same ids and faults. 1 by default. */
  seed?: number | undefined
  /** Where the clock of every world starts: ISO 8601, or milliseconds since 1970. The machine's time by default. */
  now?: string | number | undefined
  /** Whether the clock of every world is frozen at the start. False by default. */
  frozen?: boolean | undefined
  /** Assumptions of every world, by id: `{ 'plants.delete.unknown': '204' }`. */
  assumptions?: AssumptionChoices | undefined
  /** Scenarios that are active in every world from the start: `['expired-key', 'slow:ms=800', { name: 'rate-limited-plan', window: 'day' }]`. */
  use?: readonly ScenarioChoice[] | undefined
  /** Origins whose pages may call the service, in addition to pages served from this machine. `'*'` allows all. None by default. */
  cors?: readonly string[] | undefined
  /** Whether replies carry the header X-Greenhouse. True by default. */
  trace?: boolean | undefined
  /** Whether a request that breaks the contract changes nothing and gets a 400 that lists its violations. False by default. */
  strict?: boolean | undefined
  /** The largest request body, in bytes. 1 MiB by default. */
  bodyLimit?: number | undefined
  /** The maximum number of worlds. Beyond it, Greenhouse drops the least recently used world that is not pinned. 10,000 by default. */
  maxWorlds?: number | undefined
  /**
   * Limits of the journal. One world holds at most `entries` (1,000 by default) in at most `bytes` (16 MiB by default). All
   * worlds together hold at most `memory` bytes (128 MiB by default). Beyond a limit, the oldest entries are dropped.
   */
  journal?: { entries?: number | undefined; bytes?: number | undefined; memory?: number | undefined } | undefined
  /**
   * The maximum size of the data that requests write, in bytes, for all worlds together. By default 512 MiB, or an eighth of
   * the machine's memory if that is less. Beyond it, Greenhouse drops the least recently used worlds, and then refuses writes.
   */
  dataMemory?: number | undefined
  /** Operations of your own: `defineOperation` of `greenhouse-mock/config` makes them. */
  operations?: readonly OwnOperation[] | undefined
  /** Collections of your own: `defineCollection` of `greenhouse-mock/config` makes them. */
  collections?: readonly OwnCollection[] | undefined
  /** Plans that change those of the reference, or add to them: `[{ id: 'pro', minute: 10 }]`. Fixtures may have others. */
  plans?: readonly PlanFixture[] | undefined
  /** Functions to call with requests, replies, events and changes of worlds. */
  hooks?: GreenhouseHooks | undefined
  /** Plug-ins: `definePlugin` of `greenhouse-mock/config` makes them. */
  plugins?: readonly Plugin[] | undefined
  /** A real service to stand in front of: scenarios, the journal and the judgement are those of Greenhouse, the replies are its. */
  proxy?: ProxyOptions | undefined
  /** `allow`: the hosts that may receive webhooks, in addition to the loopback addresses of this machine. */
  webhooks?: { allow?: readonly string[] | undefined } | undefined
}

/** A real service, and what of it is used. */
export interface ProxyOptions {
  /** The base URL of its Area A. Without it, the mock answers there. */
  plants?: string | undefined
  /** The base URL of its Area B, with the version. Without it, the mock answers there. */
  apps?: string | undefined
  /** Operations to forward, by id or glob: `'plants.*'`. The mock answers the others. All by default. */
  only?: string | readonly string[] | undefined
  /** `mock`: what the service does not have, or what it cannot be reached for, is answered by the mock. */
  fallback?: 'mock' | undefined
  /** A file with certificates of authorities to trust, in PEM. */
  ca?: string | undefined
  /** Whether to accept any certificate of the service. False by default. */
  insecure?: boolean | undefined
  /** How long the service may take to begin a reply, in milliseconds. 30,000 by default. */
  timeout?: number | undefined
  /** A folder for what is learnt from the replies: fixtures, assumptions, and a report. Only on a server. */
  record?: string | undefined
}

/** The state of the files that fixtures and scenarios come from. @internal */
export interface FilesState {
  readonly problems: readonly Problem[]
  readonly watching: boolean
  /** The time of the last read, in milliseconds since 1970. */
  readonly loadedAt: number
  readonly config?: string
  /** Where scenarios can be saved, if they come from a folder. */
  readonly scenarios?: ScenarioFolder
  /** Why the state is in memory only, if it should be in a file. */
  readonly unsaved?: Problem | undefined
}

/** A folder that scenarios come from. @internal */
export interface ScenarioFolder {
  readonly path: string
  find(name: string): string | undefined
  /** Writes a scenario whole, or not at all, and loads it. @throws Error of the system; DataError for mistakes in other files */
  save(name: string, text: string): void
}

/** One operation of the service. */
export interface OperationSummary {
  readonly id: OperationId
  readonly method: string
  /** From the service's root: `/v1/apps/{app_id}`. */
  readonly path: string
  readonly title: string
  /** The scope that the key needs. */
  readonly scope: string
  /** Where the operation comes from: `stated` in the reference, `published`, `convention` or `ours`. */
  readonly source: string
}

/**
 * The whole mock: its worlds, and what they share.
 * @example
 * const greenhouse = createGreenhouse({ seed: 1 })
 * const world = greenhouse.world('checkout')
 * const response = await greenhouse.fetch(new Request('http://greenhouse.test/plants', { headers: { authorization: `Bearer ${world.key('key_pro')}` } }))
 */
export interface Greenhouse extends Disposable {
  /**
   * Ends all worlds with their scheduled work, deliveries and journals, and frees their data. Does not close servers: close
   * them first. Afterwards, requests get 503 and `world()` throws. A second call does nothing. `using greenhouse =
   * createGreenhouse()` closes the Greenhouse at the end of the block. An unreferenced Greenhouse is freed without `close`.
   */
  close(): void
  /**
   * Returns the world with that name; creates it on first use. @param name `default` by default. @throws RangeError
   * when the name is not 1 to 64 of the characters `A-Z a-z 0-9 . _ -`; DroppedWorldError when the world was dropped to
   * make room for others; ClosedError after `close`.
   */
  world(name?: string): World
  /** Whether the world exists. Does not create it. @throws DroppedWorldError when the world was dropped to make room for others. */
  hasWorld(name: string): boolean
  /** Returns the world if it exists. This does not count as a use. @internal */
  findWorld(name: string): World | undefined
  /** The names of all worlds, the least recently used one first. */
  worlds(): string[]
  /** Deletes a world and returns whether it existed. The next use of its name creates a new world. `default` is reset instead. */
  deleteWorld(name: string): boolean
  /**
   * Replaces the fixtures, the scenarios, the assumptions, or several of them. New worlds and resets start from them. Existing
   * worlds immediately take the new fixtures for collections without writes, and activate changed scenarios again with the same
   * options. Returns the collections and scenarios that stay as they are until their world is reset. @throws DataError
   * if fixtures or scenarios are invalid; RangeError if a scenario of the option `use` is invalid. In both cases nothing
   * changes.
   */
  reload(changes: Pick<GreenhouseOptions, 'fixtures' | 'scenarios' | 'assumptions'>): Unchanged
  /** Whether an operation has this method and path, which may begin with a world's prefix. @internal */
  hasOperation(method: string, path: string): boolean
  /** Calls `listener` with every new journal entry of every world, as `world.journal.subscribe` does. Returns a function that unsubscribes. */
  subscribe(listener: (entry: JournalEntry) => void): () => void
  /** Like `subscribe`, with stored entries. `onLogMessage` gets log messages that have no journal entry. @internal */
  observe(listener: JournalRecordListener, onLogMessage?: LogEventListener): () => void
  /** Passes a log message that has no journal entry to the `onLogMessage` of every observer. @internal */
  log(event: LogEvent): void
  /** Logs a request that the host itself refused. Returns the headers that let its page read why. @internal */
  logRejected(rejected: Omit<RejectedRequest, 'event'>): Record<string, string>
  /** How many requests are in no journal, by kind. @internal */
  readonly unrecorded: Readonly<Record<string, number>>
  /** Calls `observer` with every change in worlds, and in their files. Returns a function that unsubscribes. @internal */
  observeChanges(observer: (change: Change) => void): () => void
  /** The last state of the files of fixtures and scenarios. @internal */
  readonly files: FilesState
  /** @internal */
  setFilesState(change: Partial<FilesState>): void
  /** Returns the URL of a request without secrets, as the journal shows it. @internal */
  showUrl(request: LoggedRequest): string
  /** The requests that wait for a reply that a scenario holds back; `close` cuts them. @internal */
  readonly waiting: Waiting
  /** Answers a request, without a server. Uses the path and the query of the URL, and ignores its origin. */
  fetch(request: Request): Promise<Response>
  /**
   * Checks the origin of a request on a socket, before its body is read. Returns the sender, or the reply that refuses
   * it. @param isOwnHost whether the Host header names this server; `undefined` if it was not checked. @internal
   */
  admit(request: RequestHead, isOwnHost: boolean | undefined): SocketSender | Reply
  /** Adds the headers that let an allowed page read a reply that an adapter sends by itself. @internal */
  addCors(request: RequestHead, headers: Record<string, string>): void
  /**
   * Answers a request of an adapter: synchronously, unless a scenario delays the reply. The adapter calls `markSent` after
   * it has sent the reply. @internal
   */
  handle(request: ServiceRequest): Reply | Promise<Reply>
  /**
   * Declares a host without its own connections, such as MSW. From then on, scenarios whose fault needs a connection
   * are refused. @throws RangeError if one of them is active. @internal
   */
  declareHostWithoutConnections(host: string): void
  /** Hides a secret that is not a key, such as the control API's token, wherever requests are shown. @internal */
  hide(secret: string): void
  /** Removes the secrets of the world `default`, and anything that looks like a secret, from a text that quotes a request. @internal */
  redact(text: string): string
  /**
   * Answers from a real service until the returned function is called. @param origins what scenarios that need the mock's own
   * state are refused for; empty if the mock answers some requests. @internal
   */
  answerThrough(front: Front, origins: readonly string[]): () => void
  /** Whether it stands in front of a real service. @internal */
  readonly isFront: boolean
  /**
   * Sends webhook deliveries through `transport` until the returned function is called. Without any transport,
   * deliveries end: running ones are cut, waiting ones are dropped, and later ones fail, unless MSW answers them.
   * @internal
   */
  deliverThrough(transport: WebhookTransport): () => void
  /** The largest request body, in bytes. */
  readonly bodyLimit: number
  /** The areas, with all that was added to them. @internal */
  readonly catalogue: Catalogue
  /** The parts that were left out, by the last segment of their import path: `journal` for `greenhouse-mock/journal`. @internal */
  readonly missingParts: readonly string[]
  /** Creates another one with the same fixtures, scenarios and operations: without hooks, with a clock that stands still, and sending no webhooks. @internal */
  twin(start: { readonly seed: number; readonly now: number }): Greenhouse
  /** The options that it was created with. @internal */
  readonly options: Readonly<GreenhouseOptions>
  /** Lists every operation of the areas that it serves. */
  operations(): OperationSummary[]
  /**
   * Lists every scenario, by name. With `search`, lists the scenarios that have all its words, the best match first.
   * @example greenhouse.scenarios({ search: '429 retry' })
   * @throws TypeError for an unknown option.
   */
  scenarios(query?: { readonly search?: string | undefined }): ScenarioSummary[]
  /** Lists every assumption: its id, its question, and its values, the default first. */
  assumptions(): ({ id: AssumptionId } & Assumption)[]
  /**
   * Lists every variant: one assumption with a value other than its current one. For tests that run once for each variant.
   * `only` selects assumptions by id or glob.
   * @throws RangeError when `only` finds no assumption, TypeError for an unknown option.
   * @example describe.each(greenhouse.variants())('$title', ({ assumptions }) => { … })
   */
  variants(query?: VariantQuery): Variant[]
}

/** @deprecated Use `Unchanged`. */
export type Kept = Unchanged
/** @deprecated Use `UnchangedRecords`. */
export type KeptRecords = UnchangedRecords
/** @deprecated Use `UnchangedScenario`. */
export type KeptScenario = UnchangedScenario

/** Which variants to list. All by default. */
export interface VariantQuery {
  /** Lists variants of these assumptions only: an id, a glob such as `plants.*`, or a list of them. */
  readonly only?: string | readonly string[] | undefined
}

/** One assumption with a value other than the current one. */
type VariantOf<Id extends AssumptionId> = {
  /** `plants.delete.unknown=204` */
  readonly title: string
  /** The assumption. */
  readonly id: Id
  /** The other value. */
  readonly value: AssumptionValues[Id]
  /** The id and the value, in the form that `createGreenhouse`, `world.assume` and `world.reset` take. */
  readonly assumptions: { readonly [One in Id]: AssumptionValues[One] }
}

/** One assumption with a value other than the current one. */
export type Variant = { [Id in AssumptionId]: VariantOf<Id> }[AssumptionId]

const patterns = {
  takes: 'the id of an assumption, a glob such as "plants.*", or a list of them',
  accepts: (value: unknown) =>
    typeof value === 'string' ||
    (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')),
}

/** Returns each other value of each assumption. @param chosen values that replace the defaults. @throws RangeError, TypeError */
export function listVariants(
  assumptionRegistry: AssumptionRegistry,
  chosen: AssumptionChoices = {},
  query: VariantQuery = {},
): Variant[] {
  checkOptions('greenhouse.variants', query, { only: patterns } satisfies RulesFor<VariantQuery>)
  const current = assumptionRegistry.resolve(chosen as Readonly<Record<string, string>>)
  const all = assumptionRegistry.list()
  const isSelected = toFilter(query.only, all)
  return all
    .filter(({ id }) => isSelected(id))
    .flatMap(({ id, values }) =>
      values
        .filter((value) => value !== current.get(id))
        .map((value) => ({ title: `${id}=${value}`, id, value, assumptions: { [id]: value } }) as unknown as Variant),
    )
}

/** Returns a predicate on assumption ids. @throws RangeError for a pattern without a match. */
function toFilter(only: VariantQuery['only'], all: readonly { readonly id: string }[]): (id: string) => boolean {
  if (only === undefined) return () => true
  const known = all.map(({ id }) => id)
  const globs = new Set(known.flatMap((id) => Array.from(id.matchAll(/\./g), ({ index }) => `${id.slice(0, index)}.*`)))
  for (const pattern of [only].flat())
    if (!known.some(globFilter(pattern)))
      throw new RangeError(
        describeProblem(`Found no assumption called ${quote(pattern)}`, pattern, [...known, ...globs]),
      )
  return globFilter([only].flat())
}
