import { systemNow } from '../../core/time/clock.ts'
import { createRandom, type Random } from '../../core/time/random.ts'
import { Client, type ClientOptions } from './client.ts'
import type { Need } from './need.ts'
import type { Receive } from './receiver.ts'
import { NoReply, Unseen, tell } from './verdict.ts'
import { isSuccess, type Reply } from './wire.ts'

/** What a run may do, and with which keys. */
export interface SessionOptions extends ClientOptions {
  readonly allowWrites: boolean
  /** Whether messages may cost credits and purchases money. */
  readonly allowSpending: boolean
  readonly rateLimit: boolean
  /** Whether probes may take longer than ten seconds. */
  readonly slow: boolean
  /** How long a list may take to show a change, in milliseconds; 2,000 by default. */
  readonly readLag?: number | undefined
  readonly otherKey?: string | undefined
  readonly limitedKey?: string | undefined
  readonly expiredKey?: string | undefined
  /** Starts a receiver of webhooks that the server can reach. */
  readonly receive?: Receive | undefined
}

/** How long is waited for a change to show, unless the options say otherwise, and before it is looked for again, in milliseconds. */
const usualReadLag = 2_000
const firstPause = 100

/** Something that was made and is to be taken away. */
interface Made {
  readonly what: string
  remove(): Promise<Reply>
}

/** One run: its client, what it has found out, and what it has made. */
export class Session {
  readonly options: SessionOptions
  readonly client: Client
  /** What was learned of assumptions. */
  readonly learned = new Map<string, string>()
  /** What the list of plants is capped at to hold all of them; `undefined` before anybody has tried. */
  wholeList: string | undefined
  /** How late a change has shown at most, in milliseconds. */
  lag = 0
  /** Whether something did not show within the read lag. */
  isBlind = false
  /** The names of plants by their ids, and of those whose deletion succeeded. */
  readonly plants = new Map<string, unknown>()
  readonly deleted = new Set<unknown>()
  /** What was bought, and can't be given back. */
  readonly bought: string[] = []
  readonly #known = new Map<string, Promise<unknown>>()
  readonly #made: Made[] = []
  readonly #left: string[] = []
  readonly #closing: (() => Promise<void>)[] = []
  readonly #random: Random
  readonly #names: string
  #count = 0

  constructor(options: SessionOptions) {
    this.options = options
    this.client = new Client(options)
    // Runs that meet on one server stay apart.
    this.#random = createRandom(systemNow(), 'verify')
    this.#names = this.#random.id('greenhouse-verify').replace('_', '-')
  }

  /** Why something that a probe needs is not there. */
  lacks(needs: readonly Need[] = []): string | undefined {
    const { receive, allowWrites, allowSpending, slow, rateLimit, otherKey, limitedKey, expiredKey, targets } =
      this.options
    const missing: Readonly<Record<Need, string | false>> = {
      'other target': !(targets.plants && targets.apps) && 'it takes both --target-plants and --target-apps',
      writes: !allowWrites && 'it takes --allow-writes',
      spending:
        !(allowWrites && allowSpending) && 'it costs credits or money: it takes --allow-writes and --allow-spending',
      slow: !slow && 'it takes more than ten seconds, and so --slow',
      receiver: receive === undefined && 'the server must reach this machine: it takes --receive-at',
      'rate-limit': !rateLimit && 'it spends the rate limit, and so takes --rate-limit',
      'other-key': otherKey === undefined && "it takes another caller's key: --other-key",
      'limited-key': limitedKey === undefined && 'it takes a key of the same caller that may only read: --limited-key',
      'expired-key': expiredKey === undefined && 'it takes an expired key: --expired-key',
    }
    for (const need of needs) if (missing[need]) return missing[need]
    return undefined
  }

  /** Finds something out, once a run. */
  once<T>(name: string, find: () => Promise<T>): Promise<T> {
    let known = this.#known.get(name)
    if (!known) this.#known.set(name, (known = find()))
    return known as Promise<T>
  }

  /** How long a list may take to show a change, in milliseconds. */
  get readLag(): number {
    return this.options.readLag ?? usualReadLag
  }

  /** Looks until there is what is looked for, or a time is over. Returns what was seen last. */
  async until<T>(find: () => Promise<T>, isFound: (seen: T) => boolean, within = this.readLag): Promise<T> {
    let waited = 0
    for (let pause = firstPause; ; pause *= 2) {
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

  /** A name that nothing else has. */
  newName(): string {
    return `${this.#names}-${++this.#count}`
  }

  /** Whether a name is one that this run has given. */
  isOwnName(name: unknown): boolean {
    return typeof name === 'string' && name.startsWith(`${this.#names}-`)
  }

  /** An id of a plant that nothing is likely to have. */
  newId(): number {
    return 5_000_000_000_000 + Math.floor(this.#random.next() * 2 ** 40)
  }

  /** Sees to it that something is taken away at the end, in the reverse order. */
  remember(what: string, remove: () => Promise<Reply>): void {
    this.#made.push({ what, remove })
  }

  /** Reports at the end something that can't be taken away. */
  leave(what: string): void {
    this.#left.push(what)
  }

  /** Forgets what has been taken away. */
  forget(what: string): void {
    const place = this.#made.findIndex((made) => made.what === what)
    if (place >= 0) this.#made.splice(place, 1)
  }

  /** Sees to it that something is closed at the end. */
  atEnd(close: () => Promise<void>): void {
    this.#closing.push(close)
  }

  /** Takes away what was made. Returns what is left, with the reason. */
  async cleanUp(): Promise<string[]> {
    const left = this.#left.splice(0)
    for (const { what, remove } of this.#made.splice(0).toReversed()) {
      try {
        if (this.client.isLost) left.push(`${what}: the server does not answer any more`)
        else {
          const reply = await remove()
          if (!isSuccess(reply) && reply.status !== 404) left.push(`${what}: ${tell(reply)}`)
        }
      } catch (error) {
        left.push(`${what}: ${error instanceof NoReply ? error.message : String(error)}`)
      }
    }
    for (const close of this.#closing.splice(0)) await close()
    return left
  }
}

/** The body of a success. @throws Unseen when it is none. */
export function successOf(reply: Reply): unknown {
  if (!isSuccess(reply)) throw new Unseen(tell(reply))
  return reply.json
}
