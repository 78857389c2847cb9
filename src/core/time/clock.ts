import { clearTimeout, setTimeout } from './system-time.ts'

// Other folders import these from here: lint lets only this folder import system-time.ts.
export { assertFetchable, assertUsable, monotonicNow, systemNow } from './system-time.ts'

/** The longest time that a timer can wait, in milliseconds: some 25 days. */
export const longestWait = 2 ** 31 - 1

/**
 * Calls `work` after a time in milliseconds, at most `longestWait`. Returns a function that cancels
 * the call.
 */
export function after(duration: number, work: () => void): () => void {
  const timer = setTimeout(work, Math.min(longestWait, duration))
  return () => clearTimeout(timer)
}

/** Like `after`, but the process may end before: the timer does not keep it alive. */
export function afterIfAlive(duration: number, work: () => void): () => void {
  const timer = setTimeout(work, Math.min(longestWait, duration))
  // In a browser, a timer is a number.
  if (typeof timer === 'object') timer.unref()
  return () => clearTimeout(timer)
}

/** Resolves after a time in milliseconds, or when `signal` aborts. */
export function delay(duration: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = after(duration, end)
    signal?.addEventListener('abort', end)
    if (signal?.aborted) end()
    function end(): void {
      stop()
      signal?.removeEventListener('abort', end)
      resolve()
    }
  })
}

/**
 * The clock of a world. It runs as fast as the machine's clock unless you move or freeze it; fake
 * timers do not affect it. When it moves, everything that falls due happens: deliveries, retries,
 * renewals.
 * @example
 * world.clock.set('2026-01-01T00:00:00Z')
 * world.clock.freeze()
 * world.clock.advance('90s')
 */
export interface Clock {
  /** The time, in milliseconds since 1970. */
  now(): number
  /** True if the clock is stopped. */
  readonly frozen: boolean
  /**
   * Moves the clock on by `'90s'` or by milliseconds; a negative number moves it back. @throws
   * RangeError for an invalid duration, or when the clock would leave the years 1970 to 9999.
   */
  advance(duration: string | number): void
  /**
   * Sets the time: ISO 8601, or milliseconds since 1970. A frozen clock stays frozen. @throws
   * RangeError for an invalid time, or one outside the years 1970 to 9999.
   */
  set(time: string | number): void
  /** Stops the clock. `run` starts it again. */
  freeze(): void
  /** Lets a frozen clock run again. */
  run(): void
  /**
   * Calls `work` when the clock reaches `time`, or immediately if `time` is past. While `work`
   * runs, the clock shows `time`. An error in `work` is printed to the console. Returns a function
   * that cancels the call.
   */
  schedule(time: string | number, work: () => void): () => void
  /**
   * Waits until this clock or the machine's clock has advanced by a duration, whichever comes
   * first. @param signal ends the wait early. @internal
   */
  wait(duration: number, signal?: AbortSignal): Promise<void>
}

/** Describes a piece of due work, such as in the list of the panel. */
export interface DueNote {
  readonly kind: string
  /** One sentence without a full stop: `The purchase pur_1 of 100 credits settles`. */
  readonly title: string
  readonly subject?: {
    readonly collection: string
    readonly id: string
  }
}

export interface DueWork extends DueNote {
  /** When, in milliseconds since 1970 on the world's clock. */
  readonly at: number
}
