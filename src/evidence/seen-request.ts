import { type EntryOutline, toOutline } from '../core/journal/journal-entry.ts'
import type { JournalRecord } from '../core/journal/journal-record.ts'
import { type Reply, replyHeader } from '../core/http/reply.ts'
import { toDigest } from '../core/secrets/secret-finder.ts'
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

/** The parts of a request and its reply that rules read. */
export type SeenRequest = ReturnType<typeof toSeenRequest>

let decoder: TextDecoder | undefined

/** Converts a stored entry. The result keeps the entry in memory. `at` is on the world's clock, the other times on the machine's. */
export function toSeenRequest(record: JournalRecord) {
  const { id, operation, method, path, search, headers, body, reply, at, startedAt, leftAt } = record
  const { status } = reply
  const authorization = single(headers['authorization'])
  const content =
    body === undefined || body.length === 0 ? '' : toDigest((decoder ??= new TextDecoder('latin1')).decode(body))
  const acted: readonly string[] = record.verdicts?.actedKinds() ?? []
  let outline: EntryOutline | undefined
  const shown = () => (outline ??= toOutline(record))
  return {
    id,
    operation,
    method,
    /** Equal for requests with the same method, URL, key and body. */
    same: [method, path + search, authorization, content].join(' '),
    /** With its secret. */
    authorization,
    idempotencyKey: single(headers['idempotency-key']),
    query: new URLSearchParams(search),
    status,
    /** Whether no reply arrived, or only the beginning of one, because a scenario broke it. */
    isLost: status === 0 || (record.aborted && acted.length > 0),
    retryAfter: toRetryAfter(reply, at),
    text: typeof reply.body === 'string' ? reply.body : undefined,
    isStream: replyHeader(reply.headers, 'Content-Type')?.startsWith('text/event-stream') === true,
    isOpen: leftAt === 0,
    at,
    startedAt,
    endedAt: leftAt,
    /** The kinds of effects that scenarios had on it: `delay`, `extra`. */
    acted,
    get mistakes() {
      return shown().violations ?? []
    },
    show(): ShownRequest {
      const { request, world, reason } = shown()
      const { url } = request
      const target = url.length > longestUrl ? url.slice(0, longestUrl) + '…' : url
      return {
        entry: id,
        world,
        request: `${request.method} ${target}`,
        status,
        ...(reason !== undefined && { reason }),
      }
    },
  }
}

const longestUrl = 300

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value
}

/** Returns the earliest time of another try, in milliseconds after the reply: `Retry-After` is seconds, or an HTTP date on the world's clock. */
function toRetryAfter({ status, headers }: Reply, at: number): number | undefined {
  if (status !== 429 && status !== 503) return undefined
  const value = replyHeader(headers, 'Retry-After')
  if (value === undefined) return undefined
  const seconds = Number(value)
  const wait = Number.isFinite(seconds) ? seconds * 1_000 : Math.max(0, readDate(value) - at)
  return Number.isFinite(wait) ? wait : undefined
}
