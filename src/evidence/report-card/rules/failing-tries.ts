import type { SeenRequest } from '../../seen-request.ts'
import { isAfter, NewestMap, toWait, toPast, waitedSince, type Past, type Rule, type Watch } from '../rule.ts'

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
      ({ first, last, gaps, hasRetryAfter }) => {
        if (gaps.length < 2 || hasRetryAfter) return
        const shortest = Math.min(...gaps)
        const longest = Math.max(...gaps)
        // Waits that vary without growing may be random on purpose, so they prove nothing.
        if (longest < shortestWait) fail(`tried ${gaps.length + 1} times, without a wait`, first, last)
        else if (gaps.at(-1)! > gaps[0]! * 1.25 + jitter && longest > 2 * shortestWait) pass(first, last)
        else if (longest <= shortest * 1.25 + jitter)
          fail(`tried ${gaps.length + 1} times, always ${toWait(longest)} apart`, first, last)
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
