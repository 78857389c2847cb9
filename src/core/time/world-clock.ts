import { withCallerStack, throwAtCallSite, rejectSecondArgument } from '../contract/options.ts'
import { callSafely } from '../contract/errors.ts'
import { binarySearch } from '../text/values.ts'
import { after, type Clock, type DueWork, longestWait } from './clock.ts'
import { clearTimeout, setTimeout, systemNow } from './system-time.ts'
import { lastTime, parseTime, toClockTime, toMovedTime, toTimestamp } from './time-text.ts'

interface ScheduledTask {
  readonly at: number
  readonly work: () => void
  /** Describes this task and the work that follows, soonest first; nothing if no work is left. */
  readonly about: () => Iterable<DueWork>
}

export interface ClockState {
  readonly now: number
  readonly frozen: boolean
  /** The distance to the machine's clock, in milliseconds. */
  readonly ahead: number
  readonly due: readonly ScheduledTask[]
  /** Another one whenever somebody sets, freezes or starts the clock. */
  readonly setting: object
}

/**
 * A clock with the methods that only its world uses. A class, so that 10,000 worlds share the
 * methods.
 */
export class WorldClock implements Clock {
  #onSet: (() => void) | undefined
  #offset: number
  #stoppedAt: number | undefined
  #heldAt: number | undefined
  /** Soonest first; of two at the same time, the one that was added first. */
  #due: ScheduledTask[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #generation = 0
  #moves = 0
  #setting: object = {}

  constructor(start: number | undefined, onSet: () => void, isFrozen: boolean) {
    this.#onSet = onSet
    this.#offset = start === undefined ? 0 : start - systemNow()
    this.#stoppedAt = isFrozen ? (start ?? systemNow()) : undefined
  }

  now(): number {
    return this.#heldAt ?? this.#stoppedAt ?? Math.min(lastTime, systemNow() + this.#offset)
  }

  get frozen(): boolean {
    return this.#stoppedAt !== undefined
  }

  advance(duration: string | number): void {
    rejectSecondArgument('world.clock.advance', arguments, 'Write "5m".')
    this.#moveTo(toMovedTime(this.now(), duration))
    this.#changed()
  }

  set(time: string | number): void {
    this.#moveTo(toClockTime(time))
    this.#changed()
  }

  freeze(): void {
    this.#stoppedAt ??= this.now()
    this.#setTimer()
    this.#changed()
  }

  run(): void {
    if (this.#stoppedAt === undefined) return
    this.#offset = this.#stoppedAt - systemNow()
    this.#stoppedAt = undefined
    this.#setTimer()
    this.#changed()
  }

  #changed(): void {
    this.#setting = {}
    this.#onSet?.()
  }

  schedule(time: string | number, work: () => void, about?: ScheduledTask['about']): () => void {
    const at = withCallerStack(this.schedule, () => {
      if (typeof time === 'number') return parseTime(time)
      return toTimestamp(time)
    })
    const task = {
      at,
      work,
      about:
        about ??
        (() => [
          {
            at,
            kind: 'scheduled',
            title: 'Work scheduled in code',
          },
        ]),
    }
    this.#updateTimer(() => this.#due.splice(this.#countDue(at, true), 0, task))
    return () =>
      this.#updateTimer(() => {
        const index = this.#due.indexOf(task, this.#countDue(at, false))
        if (index >= 0) this.#due.splice(index, 1)
      })
  }

  due(max: number): DueWork[] {
    const found: DueWork[] = []
    for (const task of this.#due) {
      let left = max
      for (const work of task.about()) {
        found.push(work)
        if (--left <= 0) break
      }
    }
    return found
  }

  get isBehind(): boolean {
    return this.#nextAt !== undefined && this.#nextAt <= this.now()
  }

  /**
   * Lets the clock stand still at `now` until `release`, so that all of a request happens at one
   * time.
   */
  hold(now: number): void {
    this.#heldAt = now
  }

  release(): void {
    this.#heldAt = undefined
  }

  during<T>(work: () => T): T {
    const before = this.#heldAt
    const moves = this.#moves
    this.#heldAt = this.now()
    try {
      return work()
    } finally {
      if (before === undefined || this.#moves === moves) this.#heldAt = before
    }
  }

  tick(): void {
    this.#moveTo(this.now())
  }

  wait(duration: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const done = () => {
        cancel()
        stopTimer()
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const at = this.now() + duration
      const cancel = this.schedule(at, done, () => [
        {
          at,
          kind: 'reply',
          title: 'The delay of a reply ends',
        },
      ])
      const stopTimer = after(duration, done)
      signal?.addEventListener('abort', done)
    })
  }

  save(): ClockState {
    const now = this.now()
    return {
      now,
      frozen: this.frozen,
      ahead: now - systemNow(),
      due: [...this.#due],
      setting: this.#setting,
    }
  }

  /**
   * @param goesOn whether a clock that ran is as far ahead of the machine's as it was, and does not
   * go back
   */
  restore({ now, frozen, due, ahead, setting }: ClockState, goesOn: boolean): void {
    this.#generation++
    this.#heldAt = undefined
    this.#setting = setting
    // Functions that `schedule` returned remove none of the copies.
    this.#due = due.map((task) => ({ ...task }))
    this.#stoppedAt = frozen ? now : undefined
    this.#offset = goesOn ? ahead : now - systemNow()
    this.#setTimer()
  }

  /** Drops all scheduled work. `restore` lets the clock go on. */
  stop(): void {
    this.#generation++
    this.#due = []
    this.#setTimer()
  }

  end(): void {
    this.stop()
    // Leads to the world. A WeakRef made in this turn keeps the clock until the turn ends.
    this.#onSet = undefined
  }

  #moveTo(target: number): void {
    const before = this.#generation
    const move = ++this.#moves
    let end = target
    // Each task runs at its time, soonest first, so the clock stops at each on its way.
    for (let next = this.#due[0]; next && next.at <= end; next = this.#due[0]) {
      this.#due.shift()
      if (next.at > this.now()) this.#show(next.at)
      this.during(() => callSafely('Greenhouse failed to do scheduled work:', next.work))
      // A restore or a stop happened meanwhile: this move is obsolete.
      if (this.#generation !== before) return
      // The work moved the clock further: it does not go back.
      if (this.#moves !== move) end = Math.max(end, this.now())
    }
    this.#show(end)
    this.#setTimer()
  }

  #show(at: number): void {
    if (this.#heldAt !== undefined) this.#heldAt = at
    if (this.#stoppedAt === undefined) this.#offset = at - systemNow()
    else this.#stoppedAt = at
  }

  get #nextAt(): number | undefined {
    return this.#due[0]?.at
  }

  #countDue(at: number, isInclusive: boolean): number {
    return binarySearch(this.#due, (task) => task.at < at || (isInclusive && task.at === at))
  }

  #updateTimer(change: () => void): void {
    const before = this.#nextAt
    change()
    if (this.#nextAt !== before) this.#setTimer()
  }

  /** While the clock runs, a timer waits for the next work. It does not keep the process alive. */
  #setTimer(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer)
    this.#timer = undefined
    const next = this.#nextAt
    if (next === undefined || (this.#stoppedAt !== undefined && next > this.#stoppedAt)) return
    // The functions of `after` would add 0.9 KiB to each world.
    this.#timer = setTimeout(
      tickLater(new WeakRef(this)),
      Math.max(0, Math.min(longestWait, next - this.now())),
    )
    if (typeof this.#timer === 'object') this.#timer.unref()
  }
}

throwAtCallSite(WorldClock.prototype, ['advance', 'set'])

/** The timer holds only a WeakRef, so it does not keep an unused world alive. */
function tickLater(clock: WeakRef<WorldClock>): () => void {
  return () => clock.deref()?.tick()
}
