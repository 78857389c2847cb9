import { itemsOf, type Texts } from '../../core/text/values.ts'
import { assumptionRegistry } from '../../catalogue/catalogue.ts'
import type { AssumptionId } from '../../api/names.ts'
import type { AreaName } from '../../areas/event-types.ts'
import { parseJsonOr } from '../../core/http/json.ts'
import { isObject } from '../../core/contract/options.ts'
import { isTime, toTimestamp } from '../../core/time/time-text.ts'

/** A request of verify, as it is sent. */
export interface ProbeRequest {
  readonly method: string
  readonly url: string
  readonly headers: Texts
  readonly body?: string | Uint8Array
}

/** A reply, as it was received; header names are in lower case. */
export interface RawReply {
  readonly status: number
  readonly headers: Texts
  readonly text: string
  /** Says that the body is not in UTF-8, if it is not. */
  readonly encodingMistake?: string
}

/**
 * Sends a request, and follows no redirect. Rejects with an `Error` that has a `code` if no reply
 * comes.
 */
export type Send = (asked: ProbeRequest, signal: AbortSignal) => Promise<RawReply>

export function valuesOfAssumption(id: AssumptionId): readonly string[] {
  return assumptionRegistry.find(id, 'probe').values
}

/**
 * Returns the area that a path, or the id of a row, belongs to. Ids of both areas, such as
 * `auth.scheme-case`, are asked of app management.
 */
export function areaOf(name: string): AreaName {
  if (/^\/?plants\b/.test(name)) return 'plants'
  return 'apps'
}

export type ServerReply = ReturnType<typeof toServerReply>

/**
 * Returns a reply with the request that it answers. As text, it is `GET /plants answered 200`.
 * @param path below the area's base, without the query. @param at when it arrived, in milliseconds
 * since 1970
 */
export function toServerReply(
  path: string,
  asked: ProbeRequest,
  { status, headers, text, encodingMistake }: RawReply,
  at: number,
) {
  const json = parseJsonOr(text, undefined)
  const code = member(member(json, 'error'), 'code')
  return {
    path,
    asked,
    status,
    headers,
    text,
    encodingMistake,
    /** `undefined` if the body is not JSON. */
    json,
    at,
    isSuccess: status >= 200 && status < 300,
    mediaType: (headers['content-type'] ?? '').replace(/;.*/s, '').trim().toLowerCase(),
    /** The items of a list, which may be bare or in `data`; `undefined` if it is none. */
    items: itemsOf(json),
    errorCode: typeof code === 'string' ? code : undefined,
    // This reads the fields of `this`: a report has a copy of the reply without secrets.
    toString(): string {
      return `${this.asked.method} ${this.path}${new URL(this.asked.url).search} answered ${status}`
    },
    /**
     * Asserts that the server keeps a rule. @param more what follows the text of the reply: `, and
     * the plant is gone` @throws RuleBrokenError
     */
    assert(holds: boolean, more = ''): void {
      assertHolds(holds, this, `${this.toString()}${more}`)
    },
    /** @throws InconclusiveError */
    assertSucceeded(): void {
      assertSeen(this.isSuccess, this.toString())
    },
  }
}

export function member(value: unknown, name: string): unknown {
  if (isObject(value) && Object.hasOwn(value, name)) return value[name]
  return undefined
}

/** Returns whether a number of records may be a page size, because it is round. */
export function mayBePage(count: number): boolean {
  return count >= 10 && count % 5 === 0
}

/** Thrown by a row when the server breaks its rule. */
export class RuleBrokenError extends Error {
  readonly reply: ServerReply | undefined

  constructor(why: string, reply?: ServerReply) {
    super(why)
    this.reply = reply
  }
}

/** Thrown by a row when the server does not show what the row looks for. */
export class InconclusiveError extends Error {
  readonly among: readonly string[] | undefined

  constructor(why: string, among?: readonly string[]) {
    super(why)
    this.among = among
  }
}

export class NoReplyError extends Error {}

/** Thrown to end a whole run early. */
export class StoppedError extends Error {}

export function assertHolds(
  holds: boolean,
  reply: ServerReply | undefined,
  why: string,
): asserts holds {
  if (!holds) throw new RuleBrokenError(why, reply)
}

export function assertSeen(isSeen: boolean, why: string): asserts isSeen {
  if (!isSeen) throw new InconclusiveError(why)
}

/** @param why what makes a row inconclusive, if anything does */
export function assertConclusive(why: string | undefined): void {
  if (why !== undefined) throw new InconclusiveError(why)
}

const reasonsByCode: Texts = {
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED). Is the server running, and the port right?',
  ENOTFOUND: 'there is no such host (ENOTFOUND). Is its name spelt right?',
  EAI_AGAIN: 'the name of the host could not be looked up (EAI_AGAIN). Is there a network?',
  ECONNRESET: 'the connection was cut before a reply (ECONNRESET).',
  EPROTO: 'there is no TLS on that port (EPROTO). Is it http:// and not https://?',
  ERR_SSL_WRONG_VERSION_NUMBER: 'there is no TLS on that port. Is it http:// and not https://?',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'there is no TLS on that port. Is it http:// and not https://?',
  CERT_HAS_EXPIRED: 'its certificate has expired. Accept it with --insecure.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host. Accept it with --insecure.',
}

export function whyNoReply(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (reasonsByCode[code] !== undefined) return reasonsByCode[code]
  if (/SELF_SIGNED|UNABLE_TO_(VERIFY|GET)/.test(code))
    return `this machine does not trust its certificate (${code}). Name its authority with NODE_EXTRA_CA_CERTS, or accept it with --insecure.`
  if (code.startsWith('HPE_'))
    return `the answer is not HTTP (${code}). Is it https:// and not http://?`
  if (code === '') return message
  return `${message} (${code})`
}

type ResetUnit = 'epoch-seconds' | 'delta-seconds' | 'epoch-milliseconds' | 'iso-8601'

/** Parses X-RateLimit-Reset; its size shows the unit. */
export function readReset(
  text: string,
  at: number,
):
  | {
      unit: ResetUnit
      resetsAt: number
    }
  | undefined {
  if (isTime(text))
    return {
      unit: 'iso-8601',
      resetsAt: toTimestamp(text),
    }
  const number = text.trim() === '' ? NaN : Number(text)
  if (!(number >= 0)) return undefined
  if (number > 1e11)
    return {
      unit: 'epoch-milliseconds',
      resetsAt: number,
    }
  if (number > 1e8)
    return {
      unit: 'epoch-seconds',
      resetsAt: number * 1_000,
    }
  return {
    unit: 'delta-seconds',
    resetsAt: at + number * 1_000,
  }
}

/**
 * Returns how much longer a rate limit lasts, in milliseconds, as `Retry-After` or
 * X-RateLimit-Reset say; `undefined` if neither does.
 */
export function limitLeft({ headers, at }: ServerReply, now: number): number | undefined {
  const seconds = Number(headers['retry-after'])
  const reset = readReset(headers['x-ratelimit-reset'] ?? '', at)
  if (seconds > 0) return seconds * 1_000
  return reset && Math.max(0, reset.resetsAt - now)
}
