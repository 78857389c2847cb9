import {
  isAfter,
  NewestMap,
  type Past,
  type Rule,
  type SeenRequest,
  toPast,
  type Watch,
} from './rules.ts'

// How much earlier than Retry-After a client may come, in milliseconds: the header counts whole
// seconds.
const tolerance = 20
const maxTries = 10

/** How much later than its wait a try may come on a busy machine, in milliseconds. */
const longestLate = 250

/** A shorter pause does not count as a wait, in milliseconds. */
const shortestWait = 50

/** The smallest growth of waits from try to try that is one. */
const growth = 1.5

/** A pause between two tries: the client waited between these, in milliseconds. */
interface WaitRange {
  readonly min: number
  readonly max: number
}

interface Tries {
  readonly first: Past
  last: Past
  count: number
  readonly gaps: WaitRange[]
  hasRetryAfter: boolean
}

function watchTries(
  onTry: (tries: Tries) => void,
  onEnd: (tries: Tries, isOver: boolean) => void,
): Watch {
  const open = new NewestMap<Tries>()
  return {
    see(request) {
      const known = open.get(request.same)
      const again = known && isAfter(request, known.last) ? known : undefined
      again?.gaps.push(waitBetween(again.last, request))
      if (!isServerFailure(request)) {
        if (again) onEnd(again, false)
        open.delete(request.same)
        return
      }
      const past = toPast(request)
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
      open.set(request.same, tries)
      onTry(tries)
    },
    end() {
      for (const tries of open.values()) onEnd(tries, true)
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
function waitedSince(past: Past, request: SeenRequest): number {
  return Math.max(request.at - past.at, request.startedAt - past.endedAt)
}

/**
 * Time that a test moves on the world's clock is exact. Time that passed by itself may be a delay.
 */
function waitBetween(past: Past, request: SeenRequest): WaitRange {
  const max = waitedSince(past, request)
  return { min: Math.max(0, max - Math.min(longestLate, request.startedAt - past.endedAt)), max }
}

function toWait(milliseconds: number): string {
  if (milliseconds < 10_000) return `${Math.round(milliseconds)} ms`
  return `${Math.round(milliseconds / 1_000)} s`
}

const permanent = new Set([400, 401, 403, 404])

export const retryRules: readonly Rule[] = [
  {
    name: 'retry-after-honoured',
    title: 'Waits for Retry-After before it tries again',
    why: 'A client that comes back early gets the same error, and keeps the service busy for everybody.',
    exercise: "world.use('rate-limited-plan'), and move the world's clock on after the 429",
    watch({ pass, fail }) {
      const waiting = new NewestMap<Past>()
      return {
        see(request) {
          const past = waiting.get(request.same)
          const wanted = past?.retryAfter
          if (past && wanted !== undefined && isAfter(request, past)) {
            waiting.delete(request.same)
            const waited = waitedSince(past, request)
            if (waited >= wanted - tolerance) pass(past, request)
            else fail(`waited ${toWait(waited)}, not ${toWait(wanted)}`, past, request)
          }
          if (request.retryAfter !== undefined) waiting.set(request.same, toPast(request))
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
          // Nothing counts that a busy machine can cause. Waits that vary may be random on purpose,
          // so they prove nothing.
          if (longest < shortestWait) fail(`tried ${tries} times, without a wait`, first, last)
          else if (end.min > begin.max * 1.25 && end.min > shortestWait) pass(first, last)
          else if (areEqual && begin.min * growth ** (gaps.length - 1) > end.max)
            fail(`tried ${tries} times, always ${toWait(longest)} apart`, first, last)
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
      const rejected = new NewestMap<Past>()
      return {
        see(request) {
          // A successful write may change what other requests get.
          if (request.method !== 'GET' && request.status < 300 && request.status >= 200) {
            for (const past of rejected.values()) pass(past)
            rejected.clear()
          }
          const past = rejected.get(request.same)
          if (past && isAfter(request, past) && past.status === request.status) {
            fail(`repeated after a ${past.status}`, past, request)
            rejected.delete(request.same)
          } else if (permanent.has(request.status)) rejected.set(request.same, toPast(request))
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
      const bad = new NewestMap<Past>()
      return {
        see(request) {
          const { authorization: key, status } = request
          if (key === undefined) return
          const past = bad.get(key)
          if (past && isAfter(request, past)) {
            bad.delete(key)
            if (status === 401) return fail('sent another request with the key', past, request)
          }
          if (status === 401 && !past) bad.set(key, toPast(request))
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
      const failed = new NewestMap<Past>()
      return {
        see(request) {
          if (
            request.method !== 'POST' ||
            !request.operation ||
            request.operation.startsWith('plants.')
          )
            return
          const past = failed.get(request.same)
          if (past && isAfter(request, past)) {
            failed.delete(request.same)
            const mistake = findKeyMistake(past.idempotencyKey, request.idempotencyKey)
            if (mistake === undefined) pass(past, request)
            else fail(mistake, past, request)
          }
          if (isServerFailure(request)) failed.set(request.same, toPast(request))
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
