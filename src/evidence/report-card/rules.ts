import type { SeenRequest } from '../seen-request.ts'

/** A rule about how a client behaves. It fails only on proof; without evidence it is not exercised. */
export interface Rule {
  readonly name: string
  /** What a client that keeps it does. */
  readonly title: string
  /** Why it matters: what goes wrong for clients that break it. */
  readonly why: string
  /** How a test exercises it. */
  readonly exercise: string
  /** Starts to watch the requests of one world, in the order of their ends. */
  watch(report: RuleReport): Watch
}

export interface Watch {
  see(request: SeenRequest): void
  end?(): void
}

export interface RuleReport {
  pass(...requests: readonly SeenOrShown[]): void
  /** @param message what the client did: 'waited 200 ms, not 30 s' */
  fail(message: string, ...requests: readonly SeenOrShown[]): void
}

type SeenOrShown = Pick<SeenRequest, 'show'>

export type Past = Pick<SeenRequest, 'id' | 'at' | 'endedAt' | 'status' | 'retryAfter' | 'idempotencyKey' | 'show'>

export function toPast(request: SeenRequest): Past {
  const { id, at, endedAt, status, retryAfter, idempotencyKey } = request
  const shown = request.show()
  return { id, at, endedAt, status, retryAfter, idempotencyKey, show: () => shown }
}

/** Returns how long a client waited after a reply, in milliseconds: on the world's clock or the machine's, whichever is longer. */
export function waitedSince(past: Past, request: SeenRequest): number {
  return Math.max(request.at - past.at, request.startedAt - past.endedAt)
}

export function isAfter(request: SeenRequest, past: Pick<Past, 'id' | 'endedAt'>): boolean {
  return request.id > past.id && request.startedAt >= past.endedAt
}

const max = 100

export class NewestMap<V> extends Map<string, V> {
  override set(key: string, value: V): this {
    this.delete(key)
    super.set(key, value)
    if (this.size > max) this.delete(this.keys().next().value!)
    return this
  }
}

export function toWait(milliseconds: number): string {
  return milliseconds < 10_000 ? `${Math.round(milliseconds)} ms` : `${Math.round(milliseconds / 1_000)} s`
}

const maxTries = 10

/** The tolerance for equal waits, in milliseconds: timers are late on a busy machine. */
const jitter = 20

/** A shorter pause does not count as a wait, in milliseconds. */
const shortestWait = 50

interface Tries {
  readonly first: Past
  last: Past
  count: number
  /** The time between a reply and the next try, in milliseconds. */
  readonly gaps: number[]
  hasRetryAfter: boolean
}

function watchTries(onTry: (tries: Tries) => void, onEnd: (tries: Tries, isOver: boolean) => void): Watch {
  const open = new NewestMap<Tries>()
  return {
    see(request) {
      const known = open.get(request.same)
      const again = known && isAfter(request, known.last) ? known : undefined
      again?.gaps.push(waitedSince(again.last, request))
      if (!hasFailed(request)) {
        if (again) onEnd(again, false)
        open.delete(request.same)
        return
      }
      const past = toPast(request)
      const tries = again ?? { first: past, last: past, count: 0, gaps: [], hasRetryAfter: false }
      tries.count++
      tries.last = past
      tries.hasRetryAfter ||= request.retryAfter !== undefined
      if (tries.gaps.length > 100) tries.gaps.shift()
      open.set(request.same, tries)
      onTry(tries)
    },
    end() {
      for (const tries of open.values()) onEnd(tries, true)
    },
  }
}

function hasFailed({ status, isLost }: SeenRequest): boolean {
  return status >= 500 || isLost
}

export const backsOff: Rule = {
  name: 'backs-off',
  title: 'Waits longer with every try that fails',
  why: 'A service that just came back is brought down again by clients that try at a constant pace.',
  exercise: "world.use('server-error') or world.use('flaky-network'), and let the client try three times",
  watch: ({ pass, fail }) =>
    watchTries(
      () => undefined,
      ({ first, last, count, gaps, hasRetryAfter }, isOver) => {
        if (gaps.length < 2 || hasRetryAfter) return
        // `count` is of failures; unless the client gave up, one more try succeeded.
        const tries = isOver ? count : count + 1
        const shortest = Math.min(...gaps)
        const longest = Math.max(...gaps)
        // Waits that vary without growing may be random on purpose, so they prove nothing.
        if (longest < shortestWait) fail(`tried ${tries} times, without a wait`, first, last)
        else if (gaps.at(-1)! > gaps[0]! * 1.25 + jitter && longest > 2 * shortestWait) pass(first, last)
        else if (longest <= shortest * 1.25 + jitter)
          fail(`tried ${tries} times, always ${toWait(longest)} apart`, first, last)
      },
    ),
}

export const givesUp: Rule = {
  name: 'gives-up',
  title: `Gives up after at most ${maxTries} tries`,
  why: 'Who waits for the request never hears that it failed.',
  exercise: "world.use('server-error'), and wait until the client reports the error",
  watch: ({ pass, fail }) =>
    watchTries(
      ({ count, first, last }) => {
        if (count === maxTries + 1) fail(`tried more than ${maxTries} times`, first, last)
      },
      ({ count, first, last }, isOver) => {
        if (isOver && count > 1 && count <= maxTries) pass(first, last)
      },
    ),
}

export const unsafeRetryHasKey: Rule = {
  name: 'unsafe-retry-has-key',
  title: 'Repeats a POST only with the Idempotency-Key of the first try',
  why: 'If only the reply was lost, a repetition without the key creates or buys everything twice.',
  exercise: "world.use('connection-reset-after-write'), and create an app",
  watch({ pass, fail }) {
    const failed = new NewestMap<Past>()
    return {
      see(request) {
        if (request.method !== 'POST' || !request.operation || request.operation.startsWith('plants.')) return
        const past = failed.get(request.same)
        if (past && isAfter(request, past)) {
          failed.delete(request.same)
          const { idempotencyKey } = request
          if (past.idempotencyKey !== undefined && past.idempotencyKey === idempotencyKey) pass(past, request)
          else
            fail(
              past.idempotencyKey === undefined
                ? 'repeated without an Idempotency-Key'
                : idempotencyKey === undefined
                  ? 'repeated without the Idempotency-Key of the first try'
                  : 'repeated with another Idempotency-Key',
              past,
              request,
            )
        }
        if (hasFailed(request)) failed.set(request.same, toPast(request))
      },
    }
  },
}

const maxAlike = 10
const maxAtOnce = 50

class Overlap {
  readonly #max: number
  readonly #recent: { readonly start: number; readonly end: number }[] = []

  constructor(max: number) {
    this.#max = max
  }

  /** Adds a request, and returns the most requests that were concurrent with it. */
  add({ startedAt, endedAt }: SeenRequest): number {
    const recent = this.#recent
    recent.push({ start: startedAt, end: endedAt })
    if (recent.length > this.#max + 1) recent.shift()
    const starts = recent.map(({ start }) => start).filter((start) => start >= startedAt && start <= endedAt)
    return Math.max(...starts.map((time) => recent.filter(({ start, end }) => start <= time && end > time).length), 1)
  }
}

export const noStampede: Rule = {
  name: 'no-stampede',
  title: `Sends at most ${maxAlike} equal reads at once, and ${maxAtOnce} requests`,
  why: 'Every component that loads the same list by itself costs quota, and a rate limit hits the whole page.',
  exercise: "world.use('slow'), and open the page that shows the most",
  watch({ pass, fail }) {
    const all = new Overlap(maxAtOnce)
    const identical = new NewestMap<Overlap>()
    let concurrent: Past | undefined
    let hasFailed = false
    return {
      see(request) {
        const atOnce = all.add(request)
        let equal = 1
        if (request.method === 'GET') {
          const overlap = identical.get(request.same) ?? new Overlap(maxAlike)
          identical.set(request.same, overlap)
          equal = overlap.add(request)
        }
        if (atOnce > 1) concurrent ??= toPast(request)
        if (hasFailed || (equal <= maxAlike && atOnce <= maxAtOnce)) return
        hasFailed = true
        fail(equal > maxAlike ? `${equal} equal reads at once` : `${atOnce} requests at once`, request)
      },
      end() {
        if (concurrent && !hasFailed) pass(concurrent)
      },
    }
  },
}

export const releasesStreams: Rule = {
  name: 'releases-streams',
  title: 'Reads a stream to its end, or cancels it',
  why: 'A stream that nobody reads holds a connection; browsers have six for a host.',
  exercise: 'send a message with stream: true, and leave the page before the reply has ended',
  watch: ({ pass, fail }) => ({
    see(request) {
      if (!request.isStream || request.status >= 300) return
      if (request.isOpen) fail('left a stream open', request)
      else pass(request)
    },
  }),
}

export const keepsContract: Rule = {
  name: 'contract',
  title: 'Sends only what the contract allows',
  why: 'What the service ignores today, or a mock lets through, it may refuse tomorrow.',
  exercise: 'any request: docs/judging.md lists the rules',
  watch: ({ pass, fail }) => ({
    see(request) {
      const [mistake] = request.mistakes
      if (mistake) fail(`${mistake.rule}: ${mistake.message}`, request)
      else if (request.operation !== undefined) pass(request)
    },
  }),
}

export const keyNeverInUrl: Rule = {
  name: 'key-never-in-url',
  title: 'Sends its key in the header only',
  why: 'URLs are stored in logs, histories and proxies, and the key with them.',
  exercise: 'any request with a key',
  watch: ({ pass, fail }) => ({
    see(request) {
      const mistake = request.mistakes.find(({ rule }) => rule === 'key-in-url')
      if (mistake) fail(mistake.message, request)
      else if (request.authorization !== undefined) pass(request)
    },
  }),
}
