import { defaultPlans } from '../../core/accounts/accounts.ts'
import type { AreaName } from '../../areas/event-types.ts'
import type { PlanLimits } from '../../core/accounts/rate-limit.ts'
import { cached } from '../../core/contract/cache.ts'
import { givenOf } from '../../core/contract/options.ts'
import { toJson } from '../../core/http/json.ts'
import { redact } from '../../core/secrets/secrets.ts'
import { SecretFinder } from '../../core/secrets/known-secrets.ts'
import { after, systemNow } from '../../core/time/clock.ts'
import { createRandom } from '../../core/time/random.ts'
import {
  areaOf,
  assertSeen,
  InconclusiveError,
  limitLeft,
  NoReplyError,
  type ProbeRequest,
  type Send,
  type ServerReply,
  StoppedError,
  whyNoReply,
  toServerReply,
} from './wire.ts'
import type { Texts } from '../../core/text/values.ts'

export interface SessionOptions {
  /** The base URLs of the server, by area. */
  readonly targets: Readonly<Partial<Record<AreaName, string>>>
  readonly key: string
  readonly send: Send
  /** The most requests in a second. */
  readonly rate: number
  /** The longest wait for a reply, in milliseconds. */
  readonly timeout: number
  now(): number
  wait(duration: number): Promise<void>
  readonly signal?: AbortSignal
  log?(line: string): void
  /** True if `wait` moves the clock of the server's world, instead of waiting. */
  readonly movesClock?: boolean
  readonly progress?: (now: { done: number; total: number; running: readonly string[] }) => void
  readonly allowWrites: boolean
  readonly allowSpending: boolean
  /** True if rows may use up the rate limit. */
  readonly rateLimit: boolean
  readonly plans?: readonly PlanLimits[]
  /** True if rows may take more than ten seconds. */
  readonly slow: boolean
  /** The longest time until a list shows a change, in milliseconds; 2,000 by default. */
  readonly readLag?: number
  readonly otherKey?: string
  readonly limitedKey?: string
  readonly expiredKey?: string
  /** Starts a receiver of webhooks, if the server can reach this machine. */
  readonly receive?: Receive
}

export interface VerifyCall {
  /** The key; `null` sends none. */
  readonly key?: string | null
  readonly authorization?: string
  readonly query?: string
  readonly body?: unknown
  readonly headers?: Texts
  /** True if a 429 is expected, so that the client does not wait. */
  readonly mayBeLimited?: boolean
  /** True if it is sent even after a stop: created objects are still found and deleted. */
  readonly cleansUp?: boolean
}

/** The first pause between two polls, in milliseconds; each one after it is twice as long. */
const firstPollPause = 100

/** How much longer than it says a rate limit may last, in milliseconds. */
const limitTolerance = 1_000

/** The longest wait for a rate limit, in milliseconds: a minute, and the tolerance. */
const longestLimitWait = 61_000

/** After this many requests without a reply, one after the other, the server is given up. */
const maxNoReplies = 3

/** The client of a run: it also remembers what the run has found out, and what it must delete. */
export class Session {
  readonly options: SessionOptions
  readonly plans: readonly PlanLimits[]
  readonly readLag: number
  /** Called with every reply of the server. */
  onReply = (_reply: ServerReply): void => {}
  /** The values of assumptions that the run has found out, by id. */
  readonly learned = new Map<string, string>()
  /** How long a poll waited at most until a list showed a change, in milliseconds. */
  lag = 0
  readonly bought: string[] = []
  /** The objects that cannot be deleted. */
  readonly left: string[] = []
  readonly #remembered = new Map<string, Promise<unknown>>()
  /** The objects to delete at the end, those created last at the end of the list. */
  readonly #toDelete: {
    readonly what: string
    remove(): Promise<ServerReply>
  }[] = []
  readonly #closing: (() => Promise<void>)[] = []
  readonly #random = createRandom(systemNow(), 'verify')
  // Two runs against one server have different prefixes.
  readonly #namePrefix = this.#random.id('greenhouse-verify').replace('_', '-')
  #nameCount = 0
  /** When the next request may be sent. */
  #nextTime = 0
  /** How many requests in a row got no reply. */
  #noReplies = 0

  constructor(options: SessionOptions) {
    this.options = options
    this.plans = options.plans ?? defaultPlans
    this.readLag = options.readLag ?? 2_000
  }

  get isLost(): boolean {
    return this.#noReplies >= maxNoReplies
  }

  /**
   * Sends a request; once more after a 5xx, and once more after a rate limit, for whose end it
   * waits.
   * @throws NoReplyError, StoppedError, InconclusiveError
   */
  async call(method: string, path: string, call: VerifyCall = {}): Promise<ServerReply> {
    const reply = await this.#retryFailed(method, path, call)
    if (reply.status !== 429 || call.mayBeLimited) return reply
    const { log, wait, now } = this.options
    const limitLasts = limitLeft(reply, now())
    // `Retry-After` alone ends the run: X-RateLimit-Reset may be of a clock that differs.
    const seconds = Number(reply.headers['retry-after'])
    if (seconds * 1_000 > longestLimitWait) {
      if (call.cleansUp) return reply
      throw new StoppedError(
        `The rate limit lasts another ${Math.ceil(seconds)} s: run it again then.`,
      )
    }
    // Seconds may be rounded down. If the limit should be over already, the clocks differ.
    const pause = limitLasts
      ? Math.min(longestLimitWait, limitLasts + limitTolerance)
      : longestLimitWait
    log?.(`The rate limit is reached: waiting ${Math.ceil(pause / 1_000)} s.`)
    await wait(pause)
    return this.#retryFailed(method, path, call)
  }

  /** Sends a request, and once more after a 5xx: only the second reply counts then. */
  async #retryFailed(method: string, path: string, call: VerifyCall): Promise<ServerReply> {
    let reply = await this.#sendInTurn(method, path, call)
    if (reply.status >= 500) {
      const failed = reply.toString()
      reply = await this.#sendInTurn(method, path, call)
      const mayBeDone =
        (method === 'POST' || method === 'DELETE') && reply.status >= 400 && reply.status < 500
      if (mayBeDone && !call.cleansUp)
        throw new InconclusiveError(
          `${failed}, then ${reply.status}: the first request may have done its work`,
        )
    }
    this.onReply(reply)
    return reply
  }

  /** Sends a request when the rate allows it. */
  async #sendInTurn(method: string, path: string, call: VerifyCall): Promise<ServerReply> {
    const { targets, now, wait, rate, signal } = this.options
    const assertNotStopped = () => {
      if (signal?.aborted && !call.cleansUp) throw new StoppedError('The run was stopped.')
    }
    assertNotStopped()
    const time = now()
    const pause = this.#nextTime - time
    // The time of the next request is set before the wait: lanes that run side by side take turns.
    this.#nextTime = Math.max(this.#nextTime, time) + 1_000 / rate
    if (pause > 0) await wait(pause)
    assertNotStopped()
    const {
      key = this.options.key,
      authorization = key === null ? undefined : `Bearer ${key}`,
      body,
      headers,
    } = call
    const asked: ProbeRequest = {
      method,
      url: targets[areaOf(path)]! + path + (call.query ? `?${call.query}` : ''),
      headers: givenOf({
        Accept: 'application/json',
        'User-Agent': 'greenhouse-verify',
        Authorization: authorization,
        'Content-Type': body === undefined ? undefined : 'application/json',
        ...headers,
      }),
      body:
        body === undefined || typeof body === 'string' || body instanceof Uint8Array
          ? body
          : toJson(body),
    }
    return toServerReply(path, asked, await this.#send(asked), now())
  }

  async #send(request: ProbeRequest) {
    const { send, timeout } = this.options
    const control = new AbortController()
    const stopTimer = after(timeout, () => control.abort())
    try {
      const answered = await send(request, control.signal)
      this.#noReplies = 0
      return answered
    } catch (error) {
      this.#noReplies++
      const late = `no answer within ${timeout / 1_000} s. Allow more with --timeout.`
      throw new NoReplyError(
        `${request.method} ${request.url}: ${control.signal.aborted ? late : whyNoReply(error)}`,
      )
    } finally {
      stopTimer()
    }
  }

  /**
   * Removes the keys of the run and other secrets from a text: servers repeat keys in errors and
   * redirects.
   */
  redact(text: string): string {
    const { key, otherKey, limitedKey, expiredKey } = this.options
    const keys = [key, otherKey, limitedKey, expiredKey].filter((given) => given !== undefined)
    return redact(text, [new SecretFinder(keys)])
  }

  /** Returns the key for a need. Without it, nothing is sent: the main key would show other things. */
  keyFor(need: KeyNeed): string {
    const key = this.options[keyOptions[need]]
    assertSeen(key !== undefined, `it needs --${need}`)
    return key
  }

  /** Says which option is missing for a row that needs these; nothing if it can run. */
  whyUnable(needs: readonly Need[] = []): string | undefined {
    const { options } = this
    const { targets, allowWrites } = options
    const missing: Readonly<Record<Need, string | false>> = {
      'other target':
        !(targets.plants && targets.apps) && 'it needs both --target-plants and --target-apps',
      writes: !allowWrites && 'it needs --allow-writes',
      spending:
        !(allowWrites && options.allowSpending) &&
        'it costs credits or money: it needs --allow-writes and --allow-spending',
      slow: !options.slow && 'it takes more than ten seconds: it needs --slow',
      receiver:
        options.receive === undefined &&
        'the server must reach this machine: it needs --receive-at',
      'rate-limit': !options.rateLimit && 'it uses up the rate limit: it needs --rate-limit',
      'other-key': options.otherKey === undefined && "it needs another caller's key: --other-key",
      'limited-key':
        options.limitedKey === undefined &&
        'it needs a read-only key of the same caller: --limited-key',
      'expired-key': options.expiredKey === undefined && 'it needs an expired key: --expired-key',
    }
    for (const need of needs) if (missing[need]) return missing[need]
    return undefined
  }

  /** Finds something out once in a run. Lanes that ask at the same time get the same promise. */
  remember<T>(name: string, find: () => Promise<T>): Promise<T> {
    return cached<string, Promise<unknown>>(this.#remembered, name, find) as Promise<T>
  }

  /** Looks until something is found, and returns what was seen last. */
  async poll<T>(
    find: () => Promise<T>,
    isFound: (seen: T) => boolean,
    within = this.readLag,
  ): Promise<T> {
    let waited = 0
    for (let pause = firstPollPause; ; pause *= 2) {
      const seen = await find()
      if (isFound(seen)) {
        this.lag = Math.max(this.lag, waited)
        return seen
      }
      if (waited >= within) return seen
      const next = Math.min(pause, within - waited)
      await this.options.wait(next)
      waited += next
    }
  }

  /** Returns a name for a new object, by which the run recognizes it. */
  newName(): string {
    return `${this.#namePrefix}-${++this.#nameCount}`
  }

  isOwnName(name: unknown): boolean {
    return typeof name === 'string' && name.startsWith(`${this.#namePrefix}-`)
  }

  /** Returns an id for a new plant that no plant of the server is likely to have. */
  newId(): number {
    return 5_000_000_000_000 + Math.floor(this.#random.next() * 2 ** 40)
  }

  /** Remembers an object to delete at the end: the newest one is deleted first. */
  cleanUpLater(what: string, remove: () => Promise<ServerReply>): void {
    this.#toDelete.push({ what, remove })
  }

  /** Forgets an object that was deleted. */
  forget(what: string): void {
    const index = this.#toDelete.findIndex((object) => object.what === what)
    if (index >= 0) this.#toDelete.splice(index, 1)
  }

  atEnd(close: () => Promise<void>): void {
    this.#closing.push(close)
  }

  /** Deletes what the run created, and returns what is left. */
  async cleanUp(): Promise<string[]> {
    const left = this.left.splice(0)
    for (const { what, remove } of this.#toDelete.splice(0).toReversed()) {
      try {
        if (this.isLost) left.push(`${what}: the server no longer answers`)
        else {
          const reply = await remove()
          if (!reply.isSuccess && reply.status !== 404) left.push(`${what}: ${reply}`)
        }
      } catch (error) {
        left.push(`${what}: ${error instanceof NoReplyError ? error.message : String(error)}`)
      }
    }
    for (const close of this.#closing.splice(0)) await close()
    return left
  }
}

/** The needs for another key than the main one, with the options that have it. */
const keyOptions = {
  'other-key': 'otherKey',
  'limited-key': 'limitedKey',
  'expired-key': 'expiredKey',
} as const

export type KeyNeed = keyof typeof keyOptions

/** The needs of a row that the user may not have allowed or given. */
export type Need =
  | KeyNeed
  | 'other target'
  | 'writes'
  | 'spending'
  | 'slow'
  | 'receiver'
  | 'rate-limit'

/** A request that a receiver of webhooks got. */
export interface ReceivedDelivery {
  readonly headers: Texts
  readonly text: string
  readonly at: number
}

/** The answer of a receiver: a status, or nothing until the sender gives up. */
export type ReceiverAnswer = number | 'nothing'

/** A receiver of webhooks on this machine. */
export interface Receiver {
  readonly url: string
  readonly received: readonly ReceivedDelivery[]
  /** How it answers from now on. */
  answer: ReceiverAnswer
  /**
   * Returns how long the first unanswered sender waited, in milliseconds of real time; `undefined`
   * if none has given up within `longest`.
   */
  untilGivenUp(longest: number): Promise<number | undefined>
  close(): Promise<void>
}

export type Receive = () => Promise<Receiver>
