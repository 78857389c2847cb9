import { givenOf } from '../core/contract/options.ts'
import { type EntryOutline, toOutline } from '../core/journal/journal-entry.ts'
import type { JournalRecord } from '../core/journal/journal-record.ts'
import { replyHeader } from '../core/http/reply.ts'
import { headerOf } from '../core/http/request.ts'
import { toDigest } from '../core/secrets/known-secrets.ts'
import { readDate } from '../core/time/time-text.ts'

/** A request, as evidence shows it: without secrets. */
export interface ShownRequest {
  /** The id of its journal entry. */
  readonly entry: number
  readonly world: string
  /** The method and the URL: `GET /plants?limit=10`. */
  readonly request: string
  /** 0 when the connection ended without a reply. */
  readonly status: number
  /** One sentence that explains the reply. */
  readonly reason?: string
}

/** Writes a request in one line, for a terminal. */
export function toRequestLine({ entry, world, request, status }: ShownRequest): string {
  return `${entry}  ${request}  ${status}${world === 'default' ? '' : `  world=${world}`}`
}

/** The parts of a request and its reply that rules read. */
export type SeenRequest = ReturnType<typeof toSeenRequest>

let decoder: TextDecoder | undefined

/**
 * Reads from a stored entry what rules need; what needs more work is read when it is asked for. The
 * result keeps the entry in memory. `at` is on the world's clock, the other times on the machine's.
 */
export function toSeenRequest(record: JournalRecord) {
  const { id, operation, method, path, search, body, at, startedAt, leftAt } = record
  const { status, replyHeaders, replyBody } = record
  const authorization = headerOf(record, 'authorization')
  const content =
    body === undefined || body.length === 0
      ? ''
      : toDigest((decoder ??= new TextDecoder('latin1')).decode(body))
  const effects: readonly string[] = record.verdicts?.actedKinds() ?? []
  let outline: EntryOutline | undefined
  const getOutline = () => (outline ??= toOutline(record))
  return {
    id,
    operation,
    method,
    /** Equal for requests with the same method, URL, key and body. */
    identity: [method, path + search, authorization, content].join(' '),
    /** The header, with the key in it. */
    authorization,
    idempotencyKey: headerOf(record, 'idempotency-key'),
    query: new URLSearchParams(search),
    status,
    /** True if no reply arrived, or only the beginning of one, because a scenario broke it. */
    isLost: status === 0 || (record.aborted && effects.length > 0),
    retryAfter: toRetryAfter(record),
    text: typeof replyBody === 'string' ? replyBody : undefined,
    isStream: replyHeader(replyHeaders, 'Content-Type')?.startsWith('text/event-stream') === true,
    isOpen: leftAt === 0,
    at,
    startedAt,
    endedAt: leftAt,
    /** The kinds of effects that scenarios had on it: `delay`, `extra`. */
    effects,
    get mistakes() {
      return getOutline().violations ?? []
    },
    show(): ShownRequest {
      const { request, world, reason } = getOutline()
      const { url } = request
      const target = url.length > longestUrl ? url.slice(0, longestUrl) + '…' : url
      return givenOf({
        entry: id,
        world,
        request: `${request.method} ${target}`,
        status,
        reason,
      })
    },
  }
}

/** The longest URL that evidence shows, in characters. */
const longestUrl = 300

/**
 * Returns the earliest time of another try, in milliseconds after the reply: `Retry-After` is
 * seconds, or an HTTP date on the world's clock.
 */
function toRetryAfter({ status, replyHeaders, at }: JournalRecord): number | undefined {
  if (status !== 429 && status !== 503) return undefined
  const value = replyHeader(replyHeaders, 'Retry-After')
  if (value === undefined) return undefined
  const seconds = Number(value)
  const wait = Number.isFinite(seconds) ? seconds * 1_000 : Math.max(0, readDate(value) - at)
  // This is NaN for a text that is neither.
  return Number.isFinite(wait) ? wait : undefined
}

/** The words that people read about a rule. */
export interface RuleText {
  /** The behaviour of a client that keeps the rule. */
  readonly title: string
  /** Why the rule matters: what goes wrong for clients that break it. */
  readonly why: string
  /** How a test exercises the rule. */
  readonly exercise: string
}

/**
 * A rule about how a client behaves. It fails only on proof; without evidence it is not exercised.
 */
export interface Rule extends RuleText {
  readonly name: string
  /**
   * Starts to watch the requests of one world, in the order of their ends: another world may be
   * another client, or another test.
   */
  watch(report: RuleReport): Watch
}

/** A rule that follows one world. */
export interface Watch {
  /** Called with each request of the world when it has ended. */
  see(request: SeenRequest): void
  /** Called when no more requests will come. */
  end?(): void
}

/** The functions that a rule calls when it has found out something about the client. */
export interface RuleReport {
  /** Notes that the client kept the rule. */
  pass(...requests: readonly SeenOrShown[]): void
  /**
   * Notes that the client broke the rule. @param message what the client did: 'waited 200 ms, not
   * 30 s'
   */
  fail(message: string, ...requests: readonly SeenOrShown[]): void
  /**
   * Fails a client for what it does not do with an operation, unless any world of the run clears
   * it.
   */
  suspect(operation: string, message: string, past: PastRequest): void
  /** Notes that the client did with an operation what it was suspected not to do. */
  clear(operation: string): void
}

/** A request that a rule has just seen, or has kept. */
interface SeenOrShown {
  show(): ShownRequest
}

/** The part of a request that later requests are compared with. */
export interface PastRequest extends SeenOrShown {
  readonly id: number
  readonly at: number
  readonly endedAt: number
  readonly status: number
  readonly retryAfter: number | undefined
  readonly idempotencyKey: string | undefined
}

export function toPastRequest(request: SeenRequest): PastRequest {
  const { id, at, endedAt, status, retryAfter, idempotencyKey } = request
  const shown = request.show()
  return {
    id,
    at,
    endedAt,
    status,
    retryAfter,
    idempotencyKey,
    show: () => shown,
  }
}

export interface EndedRequest {
  readonly id: number
  readonly endedAt: number
}

/** Returns whether a client sent a request when it had the reply of an earlier one. */
export function isAfter(request: SeenRequest, past: EndedRequest): boolean {
  return request.id > past.id && request.startedAt >= past.endedAt
}

const maxNewest = 100

/** A map that keeps only the 100 entries that were set last, so that a long run needs no more memory. */
export class NewestMap<V> extends Map<string, V> {
  override set(key: string, value: V): this {
    this.delete(key)
    super.set(key, value)
    const [oldest = key] = this.keys()
    if (this.size > maxNewest) this.delete(oldest)
    return this
  }
}
