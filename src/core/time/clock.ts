import { atCaller, methodsAtCaller } from '../definitions/at-caller.ts'
import { refuseSecond } from '../definitions/options.ts'
import { DueQueue, type ScheduledTask } from './due-queue.ts'
import type { DueWork } from './due-work.ts'
import { printFailure, reportRejection } from '../definitions/reason.ts'
import { clearTimeout, setTimeout, systemNow } from './system-time.ts'
import { lastTime } from './time-range.ts'
import { readTime, toClockTime, toMovedTime, toTimestamp } from './time-text.ts'

export { monotonicNow, systemNow } from './system-time.ts'

/**
 * Calls back after some milliseconds of real time. Returns a function that cancels it. @param keepsAlive whether the
 * timer keeps the process alive.
 */
export function after(duration: number, work: () => void, keepsAlive = true): () => void {
  const timer = setTimeout(work, Math.min(longestWait, duration))
  if (!keepsAlive && typeof timer === 'object') timer.unref()
  return () => clearTimeout(timer)
}

/**
 * The clock of a world. It runs as fast as the machine's clock unless you move or freeze it; fake timers do not affect it.
 * When it moves, everything that falls due happens: deliveries, retries, renewals.
 * @example
 * world.clock.set('2026-01-01T00:00:00Z')
 * world.clock.freeze()
 * world.clock.advance('90s')
 */
export interface Clock {
  /** The time, in milliseconds since 1970. */
  now(): number
  /** Whether the clock is stopped. */
  readonly frozen: boolean
  /** Moves the clock on by `'90s'` or by milliseconds; a negative number moves it back. @throws RangeError for an invalid duration, or when the clock would leave the years 1970 to 9999. */
  advance(duration: string | number): void
  /** Sets the time: ISO 8601, or milliseconds since 1970. A frozen clock stays frozen. @throws RangeError for an invalid time, or one outside the years 1970 to 9999. */
  set(time: string | number): void
  /** Stops the clock. `run` starts it again. */
  freeze(): void
  /** Lets a frozen clock run again. */
  run(): void
  /**
   * Calls `work` when the clock reaches `time`, or immediately if `time` is past. While `work` runs, the clock shows
   * `time`. An error in `work` is printed to the console. Returns a function that cancels the call.
   */
  schedule(time: string | number, work: () => void): () => void
  /**
   * Waits until this clock or the machine's clock has advanced by a duration, whichever comes first. @param signal ends
   * the wait early. @internal
   */
  wait(duration: number, signal?: AbortSignal): Promise<void>
}

/** A clock with the methods that only its world uses. */
export interface WorldClock extends Clock {
  schedule(time: string | number, work: () => void, about?: ScheduledTask['about']): () => void
  /** Describes the scheduled work, soonest first. Leaves out work that has nothing left to do. */
  due(): Iterable<DueWork>
  /** Whether work is due and not yet done. */
  readonly isBehind: boolean
  /** Does all work that is due. */
  catchUp(): void
  /** Lets the clock stand still at `now` until `release`, so that all of a request happens at one time. */
  hold(now: number): void
  release(): void
  /** Calls `work` while the clock stands still. */
  during<T>(work: () => T): T
  /** Does all work that is due, and sets a timer for the next. */
  tick(): void
  /** Returns the state of the clock for a snapshot: its time, whether it is frozen, its scheduled work. */
  save(): ClockState
  restore(state: ClockState): void
  /** Cancels all work and timers. */
  stop(): void
}

export interface ClockState {
  readonly now: number
  readonly frozen: boolean
  readonly due: readonly ScheduledTask[]
}

/** The longest time that a timer can wait, in milliseconds. */
const longestWait = 2 ** 31 - 1

/**
 * Creates a clock that shows `start` (milliseconds since 1970) now, or the machine's time without it. @param onSet
 * called after the clock is moved, stopped or started. @param isFrozen whether it starts frozen.
 */
export function createClock(start?: number, onSet?: () => void, isFrozen = false): WorldClock {
  let offset = start === undefined ? 0 : start - systemNow()
  let stoppedAt: number | undefined = isFrozen ? (start ?? systemNow()) : undefined
  const due = new DueQueue()
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Counts restores and stops. */
  let generation = 0
  /** The time while the clock is held. */
  let heldAt: number | undefined
  const read = () => heldAt ?? stoppedAt ?? Math.min(lastTime, systemNow() + offset)
  const show = (at: number) => {
    if (heldAt !== undefined) heldAt = at
    if (stoppedAt === undefined) offset = at - systemNow()
    else stoppedAt = at
  }

  const clock: WorldClock = {
    now: read,
    get frozen() {
      return stoppedAt !== undefined
    },
    advance(duration) {
      refuseSecond('world.clock.advance', arguments, 'Write "5m".')
      moveTo(toMovedTime(read(), duration))
      onSet?.()
    },
    set(time) {
      moveTo(toClockTime(time))
      onSet?.()
    },
    freeze() {
      stoppedAt ??= read()
      setTimer()
      onSet?.()
    },
    run() {
      if (stoppedAt === undefined) return
      offset = stoppedAt - systemNow()
      stoppedAt = undefined
      setTimer()
      onSet?.()
    },
    schedule(time, work, about) {
      const at = atCaller(clock.schedule, () => (typeof time === 'number' ? readTime(time) : toTimestamp(time)))
      const remove = updateTimer(() =>
        due.add({ at, work, about: about ?? (() => [{ at, kind: 'scheduled', title: 'Work scheduled in code' }]) }),
      )
      return () => updateTimer(remove)
    },
    due: () => due.soonest(),
    get isBehind() {
      return due.nextAt !== undefined && due.nextAt <= read()
    },
    catchUp() {
      if (clock.isBehind) moveTo(read())
    },
    hold(now) {
      heldAt = now
    },
    release() {
      heldAt = undefined
    },
    during(work) {
      const before = heldAt
      heldAt = read()
      try {
        return work()
      } finally {
        heldAt = before
      }
    },
    tick: () => moveTo(read()),
    wait: (duration, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const done = () => {
          cancel()
          clearTimeout(timer)
          signal?.removeEventListener('abort', done)
          resolve()
        }
        const at = read() + duration
        const cancel = clock.schedule(at, done, () => [{ at, kind: 'reply', title: 'The delay of a reply ends' }])
        const timer = setTimeout(done, Math.min(longestWait, duration))
        signal?.addEventListener('abort', done)
      }),
    save: () => ({ now: read(), frozen: stoppedAt !== undefined, due: due.list() }),
    restore(state) {
      generation++
      heldAt = undefined
      due.replace(state.due)
      stoppedAt = state.frozen ? state.now : undefined
      offset = state.now - systemNow()
      setTimer()
    },
    stop() {
      generation++
      due.replace([])
      setTimer()
    },
  }
  const tick = catchUpLater(new WeakRef(clock))
  return methodsAtCaller(clock, ['advance', 'set'])

  /** Moves the clock, and does the work that becomes due on the way. */
  function moveTo(target: number): void {
    const before = generation
    while (due.nextAt !== undefined && due.nextAt <= target) {
      const next = due.shift()!
      if (next.at > read()) show(next.at)
      clock.during(() => perform(next.work))
      // A restore or a stop happened meanwhile: this move is obsolete.
      if (generation !== before) return
    }
    show(target)
    setTimer()
  }

  function updateTimer<T>(change: () => T): T {
    const before = due.nextAt
    const result = change()
    if (due.nextAt !== before) setTimer()
    return result
  }

  /** While the clock runs, a timer waits for the next work. It does not keep the process alive. */
  function setTimer(): void {
    if (timer !== undefined) clearTimeout(timer)
    timer = undefined
    const next = due.nextAt
    if (next === undefined || (stoppedAt !== undefined && next > stoppedAt)) return
    timer = setTimeout(tick, Math.max(0, Math.min(longestWait, next - read())))
    if (typeof timer === 'object') timer.unref()
  }
}

/** The timer holds only a WeakRef, so it does not keep an unused world alive. */
function catchUpLater(clock: WeakRef<WorldClock>): () => void {
  return () => clock.deref()?.tick()
}

const workFailed = 'Greenhouse failed to do scheduled work:'

function perform(work: () => unknown): void {
  try {
    reportRejection(workFailed, work())
  } catch (error) {
    printFailure(workFailed, error)
  }
}
