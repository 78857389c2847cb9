import { toShownOutline } from '../core/journal/journal-entry.ts'
import type { JournalRecord } from '../core/journal/journal-record.ts'
import { toDigest } from '../core/secrets/secret-finder.ts'
import { parseHttpDate } from '../core/time/time-text.ts'

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
export interface SeenRequest {
  readonly id: number
  readonly operation: string | undefined
  readonly method: string
  /** Equal for requests with the same method, URL, key and body. */
  readonly same: string
  /** The header Authorization, with its secret. */
  readonly authorization: string | undefined
  readonly idempotencyKey: string | undefined
  readonly query: URLSearchParams
  readonly status: number
  /** Whether no reply arrived, or only the beginning of one, because a scenario broke it. */
  readonly isLost: boolean
  /** The earliest time of another try, in milliseconds after the reply; `undefined` without a `Retry-After`. */
  readonly retryAfter: number | undefined
  /** The body of the reply, if it is text. */
  readonly text: string | undefined
  readonly isStream: boolean
  /** Whether the reply is not finished yet. */
  readonly isOpen: boolean
  /** When it arrived: in milliseconds on the world's clock, and on the machine's monotonic clock. */
  readonly at: number
  readonly startedAt: number
  /** When its reply was sent, on the machine's clock. */
  readonly endedAt: number
  /** The kinds of effects that scenarios had on it: `delay`, `extra`. */
  readonly acted: readonly string[]
  /** The rules of the contract that it breaks. */
  readonly mistakes: readonly { readonly rule: string; readonly message: string }[]
  show(): ShownRequest
}

let decoder: TextDecoder | undefined

/** Converts a stored entry. The result keeps the entry in memory. @internal */
export function toSeenRequest(record: JournalRecord): SeenRequest {
  const { id, operation, method, path, search, headers, body, reply, at, startedAt, leftAt } = record
  const url = path + search
  const authorization = single(headers['authorization'])
  const content =
    body === undefined || body.length === 0 ? '' : toDigest((decoder ??= new TextDecoder('latin1')).decode(body))
  const acted = record.verdicts?.actedKinds() ?? []
  let outline: ReturnType<typeof toShownOutline> | undefined
  const shown = () => (outline ??= toShownOutline(record))
  return {
    id,
    operation,
    method,
    same: [method, url, authorization, content].join(' '),
    authorization,
    idempotencyKey: single(headers['idempotency-key']),
    query: new URLSearchParams(search),
    status: reply.status,
    isLost: reply.status === 0 || (record.aborted && acted.length > 0),
    retryAfter: toRetryAfter(reply.status, reply.headers, at),
    text: typeof reply.body === 'string' ? reply.body : undefined,
    isStream: reply.headers['Content-Type']?.startsWith('text/event-stream') === true,
    isOpen: leftAt === 0,
    at,
    startedAt,
    endedAt: leftAt,
    acted,
    get mistakes() {
      return shown().violations
    },
    show() {
      const { method: verb, url: target, world, reason } = shown()
      return {
        entry: id,
        world,
        request: `${verb} ${target.length > 300 ? target.slice(0, 300) + '…' : target}`,
        status: reply.status,
        ...(reason !== undefined && { reason }),
      }
    },
  }
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value
}

/** Reads `Retry-After`: seconds, or an HTTP date on the world's clock. A scenario may write its name in any case. */
function toRetryAfter(status: number, headers: Readonly<Record<string, string>>, at: number): number | undefined {
  if (status !== 429 && status !== 503) return undefined
  const name = Object.keys(headers).find((one) => one.toLowerCase() === 'retry-after')
  if (name === undefined) return undefined
  const seconds = Number(headers[name])
  const wait = Number.isFinite(seconds) ? seconds * 1_000 : Math.max(0, parseHttpDate(headers[name]!) - at)
  return Number.isFinite(wait) ? wait : undefined
}
