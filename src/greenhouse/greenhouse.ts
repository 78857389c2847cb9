import type { Assumption } from '../core/definitions/assumptions.ts'
import type { JournalRecordListener } from '../core/journal/journal.ts'
import type { Notice, NoticedRequest, NoticeListener } from '../core/journal/notices.ts'
import type { JournalEntry } from '../core/journal/journal-entry.ts'
import type { Reply } from '../core/http/reply.ts'
import type { RequestHead, Sender, ServiceRequest } from '../core/http/request.ts'
import type { WebhookTransport } from '../core/http/webhook-transport.ts'
import type { Kept } from '../core/world/origin.ts'
import type { Fixtures } from '../fixtures/check.ts'
import type { ScenarioSummary } from '../scenarios/library.ts'
import type { OperationId } from './known-names.ts'
import type { AssumptionChoices, AssumptionId, ScenarioChoice } from './names.ts'
import type { Variant, VariantQuery } from './variants.ts'
import type { World } from './world.ts'

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
  observe(listener: JournalRecordListener, noticed?: NoticeListener): () => void
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
  /** Answers a request that an adapter translated, which tells with `tellLeft` how the reply left; at once, unless a scenario holds the reply back. */
  handle(request: ServiceRequest): Reply | Promise<Reply>
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
  /**
   * Every other way to answer what the reference leaves open, one at a time: each value of each assumption that this Greenhouse
   * does not have. With `only` those of assumptions that a glob finds.
   * @throws RangeError when `only` finds no assumption, TypeError for an unknown option.
   * @example describe.each(greenhouse.variants())('$title', ({ assumptions }) => { … })
   */
  variants(query?: VariantQuery): Variant[]
}
