import type { AreaName } from '../../areas/event-types.ts'
import { parseJson, toJson } from '../../core/http/json.ts'
import { isObject } from '../../core/contract/options.ts'
import { after } from '../../core/time/clock.ts'

export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

/** A reply; header names are in lower case. */
export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly encoding?: string | undefined
}

/** Sends a request, and follows no redirect. Rejects with an `Error` that has a `code` if no reply comes. */
export type Send = (asked: Asked, signal: AbortSignal) => Promise<Answered>

/** Returns the area that a path, or the id of a row, belongs to. Ids of both areas, such as `auth.scheme-case`, are asked of app management. */
export function areaOf(name: string): AreaName {
  return /^\/?plants\b/.test(name) ? 'plants' : 'apps'
}

/** A reply, and the request that it answers. As text, it is `GET /plants answered 200`. */
export class ServerReply implements Answered {
  /** The path below the area's base, without the query. */
  readonly path: string
  readonly asked: Asked
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly encoding: string | undefined
  /** `undefined` if the body is not JSON. */
  readonly json: unknown
  /** When it arrived, in milliseconds since 1970. */
  readonly at: number

  constructor(path: string, asked: Asked, { status, headers, text, encoding }: Answered, at: number) {
    this.path = path
    this.asked = asked
    this.status = status
    this.headers = headers
    this.text = text
    this.encoding = encoding
    this.json = toValue(text)
    this.at = at
  }

  get isSuccess(): boolean {
    return this.status >= 200 && this.status < 300
  }

  get mediaType(): string {
    return (this.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  }

  /** The items of a list, which may be bare or in `data`; `undefined` if it is none. */
  get items(): readonly unknown[] | undefined {
    const data = Array.isArray(this.json) ? this.json : member(this.json, 'data')
    return Array.isArray(data) ? data : undefined
  }

  get errorCode(): string | undefined {
    const code = member(member(this.json, 'error'), 'code')
    return typeof code === 'string' ? code : undefined
  }

  toString(): string {
    return `${this.asked.method} ${this.path}${new URL(this.asked.url).search} answered ${this.status}`
  }

  /** @param more what follows the text of the reply: `, and the plant is gone` @throws Broken */
  assert(holds: boolean, more = ''): void {
    assertHolds(holds, this, `${this}${more}`)
  }

  assertSucceeded(): void {
    assertSeen(this.isSuccess, `${this}`)
  }
}

export function member(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** Whether a number of records may be a page size, because it is round. */
export function mayBePage(count: number): boolean {
  return count >= 10 && count % 5 === 0
}

export class Broken extends Error {
  readonly reply: ServerReply | undefined

  constructor(why: string, reply?: ServerReply) {
    super(why)
    this.reply = reply
  }
}

/** Thrown when a probe can't show what the server does. */
export class Inconclusive extends Error {
  readonly among: readonly string[] | undefined

  constructor(why: string, among?: readonly string[]) {
    super(why)
    this.among = among
  }
}

export class NoReply extends Error {}

export class Stopped extends Error {}

/** @throws Broken */
export function assertHolds(holds: boolean, reply: ServerReply | undefined, why: string): asserts holds {
  if (!holds) throw new Broken(why, reply)
}

export function assertSeen(isSeen: boolean, why: string): asserts isSeen {
  if (!isSeen) throw new Inconclusive(why)
}

function toValue(text: string): unknown {
  if (text === '') return undefined
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

export interface ClientOptions {
  readonly targets: Readonly<Partial<Record<AreaName, string>>>
  readonly key: string
  readonly send: Send
  readonly rate: number
  /** The timeout of a reply, in milliseconds. */
  readonly timeout: number
  /** The time in milliseconds since 1970. */
  now(): number
  wait(duration: number): Promise<void>
  readonly signal?: AbortSignal | undefined
  log?(line: string): void
}

export interface VerifyCall {
  /** The key; `null` sends none. */
  readonly key?: string | null
  readonly authorization?: string
  readonly query?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Whether a 429 is expected, so that the client does not wait. */
  readonly mayBeLimited?: boolean
  /** Whether it is sent even after a stop: created objects are still found and deleted. */
  readonly cleansUp?: boolean
}

/** The longest wait for a rate limit, in milliseconds. */
const longestWait = 61_000

const maxFailures = 3

export class Client<Options extends ClientOptions> {
  readonly options: Options
  onReply = (_reply: ServerReply): void => {}
  #next = 0
  #failures = 0

  constructor(options: Options) {
    this.options = options
  }

  get isLost(): boolean {
    return this.#failures >= maxFailures
  }

  /**
   * Sends a request and reads its reply. Waits once for a rate limit, and sends it once more after a 5xx. @throws NoReply, Stopped,
   * Inconclusive
   */
  async call(method: string, path: string, call: VerifyCall = {}): Promise<ServerReply> {
    const reply = await this.#once(method, path, call)
    if (reply.status !== 429 || call.mayBeLimited) return reply
    const seconds = Number(reply.headers['retry-after'])
    const pause = Math.min(longestWait, seconds > 0 ? seconds * 1_000 : longestWait)
    this.options.log?.(`The rate limit is reached: waiting ${Math.ceil(pause / 1_000)} s.`)
    await this.options.wait(pause)
    return this.#once(method, path, call)
  }

  /** Only the second 5xx counts. */
  async #once(method: string, path: string, call: VerifyCall): Promise<ServerReply> {
    let reply = await this.#ask(method, path, call)
    if (reply.status >= 500) {
      const failed = String(reply)
      reply = await this.#ask(method, path, call)
      const mayBeDone = (method === 'POST' || method === 'DELETE') && reply.status >= 400 && reply.status < 500
      if (mayBeDone && !call.cleansUp)
        throw new Inconclusive(`${failed}, then ${reply.status}: the first request may have done its work`)
    }
    this.onReply(reply)
    return reply
  }

  async #ask(method: string, path: string, call: VerifyCall): Promise<ServerReply> {
    const { targets, now, wait, rate } = this.options
    const isStopped = () => this.options.signal?.aborted === true && !call.cleansUp
    if (isStopped()) throw new Stopped('The run was stopped.')
    const time = now()
    const pause = this.#next - time
    // Taken before the wait: lanes that run side by side take turns.
    this.#next = Math.max(this.#next, time) + 1_000 / rate
    if (pause > 0) await wait(pause)
    if (isStopped()) throw new Stopped('The run was stopped.')
    const asked = this.#toAsked(method, targets[areaOf(path)]! + path + (call.query ? `?${call.query}` : ''), call)
    const answered = await this.#send(asked)
    return new ServerReply(path, asked, answered, now())
  }

  #toAsked(method: string, url: string, { key, authorization, body, headers }: VerifyCall): Asked {
    const secret = key === undefined ? this.options.key : key
    const credentials = authorization ?? (secret === null ? undefined : `Bearer ${secret}`)
    return {
      method,
      url,
      headers: {
        Accept: 'application/json',
        'User-Agent': 'greenhouse-verify',
        ...(credentials !== undefined && { Authorization: credentials }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : toJson(body),
    }
  }

  async #send(request: Asked) {
    const { send, timeout } = this.options
    const control = new AbortController()
    const stopTimer = after(timeout, () => control.abort())
    try {
      const answered = await send(request, control.signal)
      this.#failures = 0
      return answered
    } catch (error) {
      this.#failures++
      throw new NoReply(
        control.signal.aborted
          ? `${request.method} ${request.url}: no answer within ${timeout / 1_000} s. Allow more with --timeout.`
          : `${request.method} ${request.url}: ${toReason(error)}`,
      )
    } finally {
      stopTimer()
    }
  }
}

const reasons: Readonly<Record<string, string>> = {
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

function toReason(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (reasons[code] !== undefined) return reasons[code]
  if (/SELF_SIGNED|UNABLE_TO_(VERIFY|GET)/.test(code))
    return `this machine does not trust its certificate (${code}). Name its authority with NODE_EXTRA_CA_CERTS, or accept it with --insecure.`
  if (code.startsWith('HPE_')) return `the answer is not HTTP (${code}). Is it https:// and not http://?`
  return code === '' ? message : `${message} (${code})`
}
