import { atCaller, methodsAtCaller } from '../definitions/at-caller.ts'
import { DueQueue, type ScheduledTask } from './due-queue.ts'
import type { DueWork } from './due-work.ts'
import { quote } from '../definitions/quote.ts'
import { report, reportRejection } from '../definitions/reason.ts'
import { clearTimeout, Date, setTimeout, systemNow } from './system-time.ts'
import { clockRange, firstClockTime, firstTime, lastTime, longestLength, timeRange } from './time-range.ts'

export { monotonicNow, systemNow } from './system-time.ts'

const units: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * Reads a length of time: `'90s'`, `'5m'`, `'2h'`, `'1d'`, `'250ms'`, several of them (`'1h30m'`), or a number of
 * milliseconds. Returns milliseconds.
 * @throws RangeError when it is none of these, or longer than ten thousand years.
 */
export function toMilliseconds(duration: string | number): number {
  const length = readLength(duration)
  if (Math.abs(length) <= longestLength) return length
  throw new RangeError(
    `Failed to read the duration ${show(duration)}: expected at most 10,000 years (${longestLength / units['d']!}d).`,
  )
}

function readLength(duration: string | number): number {
  if (typeof duration === 'number') {
    if (Number.isFinite(duration)) return duration
  } else if (/^-?(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(duration)) {
    const sign = duration.startsWith('-') ? -1 : 1
    let total = 0
    for (const [, amount, unit] of duration.replace('-', '').matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/gy))
      total += Number(amount) * units[unit!]!
    if (Number.isFinite(total)) return sign * total
  }
  throw new RangeError(
    `Failed to read the duration ${show(duration)}: expected a number with a unit, such as "90s", "5m", "2h" or "1d".`,
  )
}

/**
 * Reads a point in time: an ISO 8601 string or milliseconds since 1970. Returns milliseconds.
 * @throws RangeError when it is neither, or outside of the years 0000 to 9999.
 */
export function toTimestamp(time: string | number): number {
  const at = readTime(time)
  if (at >= firstTime && at <= lastTime) return at
  throw new RangeError(`Failed to read the time ${show(time)}: expected a time in ${timeRange}.`)
}

/** Reads a point in time that a clock can show. @throws RangeError when it is not a time, or outside of the years 1970 to 9999. */
export function toClockTime(time: string | number): number {
  const at = readTime(time)
  if (at >= firstClockTime && at <= lastTime) return at
  throw new RangeError(`Failed to set a clock to ${show(time)}: expected a time in ${clockRange}.`)
}

/** Whether a text is a point in time in ISO 8601, of whatever year. */
export function isTime(text: string): boolean {
  return isInCalendar(text) && Number.isFinite(Date.parse(text))
}

function readTime(time: string | number): number {
  const at = typeof time === 'number' ? time : isInCalendar(time) ? Date.parse(time) : NaN
  if (Number.isFinite(at)) return at
  throw new RangeError(`Failed to read the time ${show(time)}: expected ISO 8601, such as "2026-01-31T12:00:00Z".`)
}

/** Whether a text begins with a day that there is, and no time of 24 hours: `Date.parse` takes 2027-02-29 for March. */
function isInCalendar(text: string): boolean {
  const [, year, month, day] = /^(\d{4}|[+-]\d{6})-(\d\d)-(\d\d)/.exec(text) ?? []
  if (year === undefined || text.slice(year.length + 6).startsWith('T24')) return false
  // Every four hundred years the calendar is the same: this keeps years below 100 what they are.
  const date = new Date(Date.UTC(2_000 + (Number(year) % 400), Number(month) - 1, Number(day)))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
}

/** So much later than `from`, or earlier. @throws RangeError when no clock shows that. */
export function toMovedTime(from: number, duration: string | number): number {
  const at = from + toMilliseconds(duration)
  if (at >= firstClockTime && at <= lastTime) return at
  throw new RangeError(`Failed to move a clock by ${show(duration)} from ${toIso(from)}: a clock shows ${clockRange}.`)
}

function show(value: string | number): string {
  return typeof value === 'string' ? quote(value) : String(value)
}

/** Milliseconds since 1970 as ISO 8601 UTC with milliseconds; what is outside of the years 0000 to 9999 as the nearest time in them. */
export function toIso(at: number): string {
  return new Date(Math.max(firstTime, Math.min(lastTime, at))).toISOString()
}

/** Milliseconds since 1970 as HTTP dates are written, in whole seconds: `Sun, 01 Mar 2026 12:00:00 GMT`. */
export function toHttpDate(at: number): string {
  return new Date(Math.max(firstTime, Math.min(lastTime, at))).toUTCString()
}

/** An HTTP date moved by a number of milliseconds. */
export function moveHttpDate(date: string, by: number): string {
  return toHttpDate(Date.parse(date) + by)
}

/** Calls back after a number of milliseconds of real time. Returns what takes it back. @param keepsAlive whether the process waits for it. */
export function after(duration: number, work: () => void, keepsAlive = true): () => void {
  const timer = setTimeout(work, Math.min(longestWait, duration))
  if (!keepsAlive && typeof timer === 'object') timer.unref()
  return () => clearTimeout(timer)
}

/**
 * The clock of a world. It runs with the machine's clock until you move or freeze it; fake timers do not move it. When it
 * moves, everything that falls due happens: deliveries, retries, renewals.
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
   * Calls `work` when the clock reaches `time`, or at once when `time` is past. While `work` runs, the clock shows `time`. An
   * error in `work` is printed to the console. Returns a function that cancels the call.
   */
  schedule(time: string | number, work: () => void): () => void
  /**
   * Waits until this clock, or the machine's, has moved on by a length of time, whichever comes first.
   * @param signal ends the wait early: nobody waits for it any more. @internal
   */
  wait(duration: number, signal?: AbortSignal): Promise<void>
}

/** A clock with what a world needs of it besides. */
export interface WorldClock extends Clock {
  /** The same, with a description, for as long as there is work to do. */
  schedule(time: string | number, work: () => void, about?: ScheduledTask['about']): () => void
  /** What falls due, soonest first; what has nothing to do any more is left out. */
  due(): Iterable<DueWork>
  /** Whether something is due and not done yet. */
  readonly isBehind: boolean
  /** Does what is due by now. */
  catchUp(): void
  /** Does what is due by now, and waits for what is next. */
  tick(): void
  /** The time, whether it stands still, and what is due, for a snapshot. */
  save(): ClockState
  restore(state: ClockState): void
  /** Forgets what is due and waits for nothing more. */
  stop(): void
}

/** What `WorldClock.save` gives. */
export interface ClockState {
  readonly now: number
  readonly frozen: boolean
  readonly due: readonly ScheduledTask[]
}

/** The longest time that a timer can wait, in milliseconds. */
const longestWait = 2 ** 31 - 1

/**
 * Makes a clock that shows `start` (milliseconds since 1970) now, or the machine's time when there is none.
 * @param onSet is called after somebody moved, stopped or started it.
 * @param isFrozen whether it stands still from the start.
 */
export function createClock(start?: number, onSet?: () => void, isFrozen = false): WorldClock {
  let offset = start === undefined ? 0 : start - systemNow()
  let stoppedAt: number | undefined = isFrozen ? (start ?? systemNow()) : undefined
  const due = new DueQueue()
  let timer: ReturnType<typeof setTimeout> | undefined
  /** How often it was restored or stopped. */
  let beginnings = 0
  const read = () => stoppedAt ?? Math.min(lastTime, systemNow() + offset)
  const show = (at: number) => {
    if (stoppedAt === undefined) offset = at - systemNow()
    else stoppedAt = at
  }

  const clock: WorldClock = {
    now: read,
    get frozen() {
      return stoppedAt !== undefined
    },
    advance(duration) {
      moveTo(toMovedTime(read(), duration))
      onSet?.()
    },
    set(time) {
      moveTo(toClockTime(time))
      onSet?.()
    },
    freeze() {
      stoppedAt ??= read()
      wait()
      onSet?.()
    },
    run() {
      if (stoppedAt === undefined) return
      offset = stoppedAt - systemNow()
      stoppedAt = undefined
      wait()
      onSet?.()
    },
    schedule(time, work, about) {
      const at = atCaller(clock.schedule, () => (typeof time === 'number' ? readTime(time) : toTimestamp(time)))
      const takeBack = waitUnlessAsBefore(() =>
        due.add({ at, work, about: about ?? (() => [{ at, kind: 'scheduled', title: 'Work that code scheduled' }]) }),
      )
      return () => waitUnlessAsBefore(takeBack)
    },
    due: () => due.soonest(),
    get isBehind() {
      return due.nextAt !== undefined && due.nextAt <= read()
    },
    catchUp() {
      if (clock.isBehind) moveTo(read())
    },
    tick: () => moveTo(read()),
    wait: (duration, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const done = () => {
          takeBack()
          clearTimeout(timer)
          signal?.removeEventListener('abort', done)
          resolve()
        }
        const at = read() + duration
        const takeBack = clock.schedule(at, done, () => [{ at, kind: 'reply', title: 'A delayed reply continues' }])
        const timer = setTimeout(done, Math.min(longestWait, duration))
        signal?.addEventListener('abort', done)
      }),
    save: () => ({ now: read(), frozen: stoppedAt !== undefined, due: due.list() }),
    restore(state) {
      beginnings++
      due.replace(state.due)
      stoppedAt = state.frozen ? state.now : undefined
      offset = state.now - systemNow()
      wait()
    },
    stop() {
      beginnings++
      due.replace([])
      wait()
    },
  }
  const tick = catchUpLater(new WeakRef(clock))
  return methodsAtCaller(clock, ['advance', 'set'])

  /** Goes there, and does on the way what falls due. */
  function moveTo(target: number): void {
    const begun = beginnings
    while (due.nextAt !== undefined && due.nextAt <= target) {
      const next = due.shift()!
      if (next.at > read()) show(next.at)
      perform(next.work)
      // It went back to a snapshot: this move belongs to a time that is gone.
      if (beginnings !== begun) return
    }
    show(target)
    wait()
  }

  function waitUnlessAsBefore<T>(change: () => T): T {
    const before = due.nextAt
    const result = change()
    if (due.nextAt !== before) wait()
    return result
  }

  /** While time runs, a timer looks after the next due work; it keeps no process alive. */
  function wait(): void {
    if (timer !== undefined) clearTimeout(timer)
    timer = undefined
    const next = due.nextAt
    if (next === undefined || (stoppedAt !== undefined && next > stoppedAt)) return
    timer = setTimeout(tick, Math.max(0, Math.min(longestWait, next - read())))
    if (typeof timer === 'object') timer.unref()
  }
}

/** A timer that holds no more than this does not keep a world that nobody has any more. */
function catchUpLater(clock: WeakRef<WorldClock>): () => void {
  return () => clock.deref()?.tick()
}

const workFailed = 'Greenhouse failed to do scheduled work:'

function perform(work: () => unknown): void {
  try {
    reportRejection(workFailed, work())
  } catch (error) {
    report(workFailed, error)
  }
}
