import {
  isAfter,
  NewestMap,
  type PastRequest,
  type Rule,
  type SeenRequest,
  toPastRequest,
  type Watch,
} from './rule.ts'

/**
 * How much earlier than Retry-After a client may come, in milliseconds: the header counts whole
 * seconds.
 */
const earlyTolerance = 20

/** The most tries of a good client. */
const maxTries = 10

/** How much later than the client meant a try may come on a busy machine, in milliseconds. */
const maxLateness = 250

/** The shortest pause that counts as a wait, in milliseconds. */
const shortestWait = 50

/** The smallest factor from one wait to the next with which waits count as growing. */
const minGrowth = 1.5

/** How long a client meant to wait between two tries: at least, and at most, in milliseconds. */
interface WaitRange {
  readonly min: number
  readonly max: number
}

/** A request that a client sends again and again, as the server fails. */
interface Tries {
  readonly first: PastRequest
  last: PastRequest
  /** The number of tries that failed. */
  count: number
  readonly gaps: WaitRange[]
  hasRetryAfter: boolean
}

/**
 * Follows requests that fail, and are sent again.
 * @param onTry called for each try that fails
 * @param onEnd called when a try succeeds, and with `isOver` when no more requests come
 */
function watchTries(
  onTry: (tries: Tries) => void,
  onEnd: (tries: Tries, isOver: boolean) => void,
): Watch {
  const triesOfRequest = new NewestMap<Tries>()
  return {
    see(request) {
      const known = triesOfRequest.get(request.identity)
      const again = known && isAfter(request, known.last) ? known : undefined
      again?.gaps.push(waitBetween(again.last, request))
      if (!isServerFailure(request)) {
        if (again) onEnd(again, false)
        triesOfRequest.delete(request.identity)
        return
      }
      const past = toPastRequest(request)
      const tries = again ?? {
        first: past,
        last: past,
        count: 0,
        gaps: [],
        hasRetryAfter: false,
      }
      tries.count++
      tries.last = past
      tries.hasRetryAfter ||= request.retryAfter !== undefined
      if (tries.gaps.length > 100) tries.gaps.shift()
      triesOfRequest.set(request.identity, tries)
      onTry(tries)
    },
    end() {
      for (const tries of triesOfRequest.values()) onEnd(tries, true)
    },
  }
}

function isServerFailure({ status, isLost }: SeenRequest): boolean {
  return status >= 500 || isLost
}

/**
 * Returns how long a client waited after a reply, in milliseconds: on the world's clock or the
 * machine's, whichever is longer.
 */
function waitedSince(past: PastRequest, request: SeenRequest): number {
  return Math.max(request.at - past.at, request.startedAt - past.endedAt)
}

/**
 * Returns how long a client meant to wait. Time that a test moves on the world's clock is exact; of
 * time that passed by itself, some may be a delay of the machine.
 */
function waitBetween(past: PastRequest, request: SeenRequest): WaitRange {
  const max = waitedSince(past, request)
  return {
    min: Math.max(0, max - Math.min(maxLateness, request.startedAt - past.endedAt)),
    max,
  }
}

function describeWait(milliseconds: number): string {
  if (milliseconds < 10_000) return `${Math.round(milliseconds)} ms`
  return `${Math.round(milliseconds / 1_000)} s`
}

const permanentFailures = new Set([400, 401, 403, 404])

export const retryRules: readonly Rule[] = [
  {
    name: 'retry-after-honoured',
    title: 'Waits for Retry-After before it tries again',
    why: 'A client that comes back early gets the same error, and keeps the service busy for everybody.',
    exercise: "world.use('rate-limited-plan'), and move the world's clock on after the 429",
    watch({ pass, fail }) {
      const waiting = new NewestMap<PastRequest>()
      return {
        see(request) {
          const past = waiting.get(request.identity)
          const wanted = past?.retryAfter
          if (past && wanted !== undefined && isAfter(request, past)) {
            waiting.delete(request.identity)
            const waited = waitedSince(past, request)
            if (waited >= wanted - earlyTolerance) pass(past, request)
            else fail(`waited ${describeWait(waited)}, not ${describeWait(wanted)}`, past, request)
          }
          if (request.retryAfter !== undefined)
            waiting.set(request.identity, toPastRequest(request))
        },
      }
    },
  },
  {
    name: 'backs-off',
    title: 'Waits longer with every try that fails',
    why: 'A service that just came back is brought down again by clients that try at a constant pace.',
    exercise:
      "world.use('server-error') or world.use('flaky-network'), and let the client try three times",
    watch: ({ pass, fail }) =>
      watchTries(
        () => undefined,
        ({ first, last, count, gaps, hasRetryAfter }, isOver) => {
          const [begin] = gaps
          const end = gaps.at(-1)
          if (!begin || !end || begin === end || hasRetryAfter) return
          // `count` is of failures; unless the client gave up, one more try succeeded.
          const tries = isOver ? count : count + 1
          const shortest = Math.min(...gaps.map(({ max }) => max))
          const longest = Math.max(...gaps.map(({ max }) => max))
          const areEqual = gaps.every(({ min }) => min <= shortest * 1.25)
          // What a busy machine can cause proves nothing. Nor do waits that vary: they may be
          // random on purpose.
          if (longest < shortestWait) fail(`tried ${tries} times, without a wait`, first, last)
          else if (end.min > begin.max * 1.25 && end.min > shortestWait) pass(first, last)
          else if (areEqual && begin.min * minGrowth ** (gaps.length - 1) > end.max)
            fail(`tried ${tries} times, always ${describeWait(longest)} apart`, first, last)
        },
      ),
  },
  {
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
  },
  {
    name: 'no-retry-of-4xx',
    title: 'Does not repeat a request that was refused with 400, 401, 403 or 404',
    why: 'The answer stays the same: each try spends quota and makes the user wait.',
    exercise: "world.use('forbidden'), and do what the user does",
    watch({ pass, fail }) {
      const rejected = new NewestMap<PastRequest>()
      return {
        see(request) {
          // A successful write may change what other requests get.
          if (request.method !== 'GET' && request.status < 300 && request.status >= 200) {
            for (const past of rejected.values()) pass(past)
            rejected.clear()
          }
          const past = rejected.get(request.identity)
          if (past && isAfter(request, past) && past.status === request.status) {
            fail(`repeated after a ${past.status}`, past, request)
            rejected.delete(request.identity)
          } else if (permanentFailures.has(request.status))
            rejected.set(request.identity, toPastRequest(request))
        },
        end() {
          for (const past of rejected.values()) pass(past)
        },
      }
    },
  },
  {
    name: 'stops-on-bad-key',
    title: 'Stops using a key that was answered with 401',
    why: 'A key does not become valid again. The user needs to hear of it, once.',
    exercise: "world.use('expired-key'), and use the client for a while",
    watch({ pass, fail }) {
      const bad = new NewestMap<PastRequest>()
      return {
        see(request) {
          const { authorization: key, status } = request
          if (key === undefined) return
          const past = bad.get(key)
          if (past && isAfter(request, past)) {
            bad.delete(key)
            if (status === 401) return fail('sent another request with the key', past, request)
          }
          if (status === 401 && !past) bad.set(key, toPastRequest(request))
        },
        end() {
          for (const past of bad.values()) pass(past)
        },
      }
    },
  },
  {
    name: 'unsafe-retry-has-key',
    title: 'Repeats a POST only with the Idempotency-Key of the first try',
    why: 'If only the reply was lost, a repetition without the key creates or buys everything twice.',
    exercise: "world.use('connection-reset-after-write'), and create an app",
    watch({ pass, fail }) {
      const failed = new NewestMap<PastRequest>()
      return {
        see(request) {
          if (
            request.method !== 'POST' ||
            !request.operation ||
            request.operation.startsWith('plants.')
          )
            return
          const past = failed.get(request.identity)
          if (past && isAfter(request, past)) {
            failed.delete(request.identity)
            const mistake = findKeyMistake(past.idempotencyKey, request.idempotencyKey)
            if (mistake === undefined) pass(past, request)
            else fail(mistake, past, request)
          }
          if (isServerFailure(request)) failed.set(request.identity, toPastRequest(request))
        },
      }
    },
  },
]

function findKeyMistake(first: string | undefined, again: string | undefined): string | undefined {
  if (first === undefined) return 'repeated without an Idempotency-Key'
  if (again === undefined) return 'repeated without the Idempotency-Key of the first try'
  if (first === again) return undefined
  return 'repeated with another Idempotency-Key'
}
