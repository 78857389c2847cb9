import { withCallerStack, throwAtCallSite, rejectSecond } from '../contract/options.ts'
import { printFailure, reportRejection } from '../contract/errors.ts'
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

class DueQueue {
  #tasks: ScheduledTask[] = []

  get nextAt(): number | undefined {
    return this.#tasks[0]?.at
  }

  add(task: ScheduledTask): () => void {
    this.#tasks.splice(
      this.#count(({ at }) => at <= task.at),
      0,
      task,
    )
    return () => {
      const first = this.#count(({ at }) => at < task.at)
      const index = this.#tasks.indexOf(task, first)
      if (index >= 0) this.#tasks.splice(index, 1)
    }
  }

  shift(): ScheduledTask | undefined {
    return this.#tasks.shift()
  }

  list(): ScheduledTask[] {
    return [...this.#tasks]
  }

  /** Copies the tasks: functions that `add` returned remove none of them. */
  replace(tasks: readonly ScheduledTask[]): void {
    this.#tasks = tasks.map((task) => ({ ...task }))
  }

  /** Describes the work of the tasks, soonest first. @param max how much of one task, which may stand for a million records. */
  describe(max: number): DueWork[] {
    const found: DueWork[] = []
    for (const task of this.#tasks) {
      let left = max
      for (const work of task.about()) {
        found.push(work)
        if (--left <= 0) break
      }
    }
    return found.sort((one, other) => one.at - other.at)
  }

  #count(isBefore: (task: ScheduledTask) => boolean): number {
    return binarySearch(this.#tasks.length, (index) => isBefore(this.#tasks[index]!))
  }
}

export interface ClockState {
  readonly now: number
  readonly frozen: boolean
  readonly due: readonly ScheduledTask[]
}

/** A clock with the methods that only its world uses. A class, so that 10,000 worlds share the methods. */
export class WorldClock implements Clock {
  #onSet: (() => void) | undefined
  #offset: number
  #stoppedAt: number | undefined
  #heldAt: number | undefined
  readonly #due = new DueQueue()
  #timer: ReturnType<typeof setTimeout> | undefined
  #generation = 0
  #moves = 0

  /** @param start by default the machine's time. @param onSet called after it is moved, stopped or started. */
  constructor(start?: number, onSet?: () => void, isFrozen = false) {
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
    rejectSecond('world.clock.advance', arguments, 'Write "5m".')
    this.#moveTo(toMovedTime(this.now(), duration))
    this.#onSet?.()
  }

  set(time: string | number): void {
    this.#moveTo(toClockTime(time))
    this.#onSet?.()
  }

  freeze(): void {
    this.#stoppedAt ??= this.now()
    this.#setTimer()
    this.#onSet?.()
  }

  run(): void {
    if (this.#stoppedAt === undefined) return
    this.#offset = this.#stoppedAt - systemNow()
    this.#stoppedAt = undefined
    this.#setTimer()
    this.#onSet?.()
  }

  schedule(time: string | number, work: () => void, about?: ScheduledTask['about']): () => void {
    const at = withCallerStack(this.schedule, () => (typeof time === 'number' ? parseTime(time) : toTimestamp(time)))
    const remove = this.#updateTimer(() =>
      this.#due.add({ at, work, about: about ?? (() => [{ at, kind: 'scheduled', title: 'Work scheduled in code' }]) }),
    )
    return () => this.#updateTimer(remove)
  }

  due(max: number): DueWork[] {
    return this.#due.describe(max)
  }

  get isBehind(): boolean {
    return this.#due.nextAt !== undefined && this.#due.nextAt <= this.now()
  }

  /** Lets the clock stand still at `now` until `release`, so that all of a request happens at one time. */
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
      const cancel = this.schedule(at, done, () => [{ at, kind: 'reply', title: 'The delay of a reply ends' }])
      const stopTimer = after(duration, done)
      signal?.addEventListener('abort', done)
    })
  }

  save(): ClockState {
    return { now: this.now(), frozen: this.frozen, due: this.#due.list() }
  }

  restore({ now, frozen, due }: ClockState): void {
    this.#generation++
    this.#heldAt = undefined
    this.#due.replace(due)
    this.#stoppedAt = frozen ? now : undefined
    this.#offset = now - systemNow()
    this.#setTimer()
  }

  stop(): void {
    this.#generation++
    // Leads to the world. A WeakRef made in this turn keeps the clock until the turn ends.
    this.#onSet = undefined
    this.#due.replace([])
    this.#setTimer()
  }

  #moveTo(target: number): void {
    const before = this.#generation
    const move = ++this.#moves
    let end = target
    while (this.#due.nextAt !== undefined && this.#due.nextAt <= end) {
      const next = this.#due.shift()!
      if (next.at > this.now()) this.#show(next.at)
      this.during(() => perform(next.work))
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

  #updateTimer<T>(change: () => T): T {
    const before = this.#due.nextAt
    const result = change()
    if (this.#due.nextAt !== before) this.#setTimer()
    return result
  }

  /** While the clock runs, a timer waits for the next work. It does not keep the process alive. */
  #setTimer(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer)
    this.#timer = undefined
    const next = this.#due.nextAt
    if (next === undefined || (this.#stoppedAt !== undefined && next > this.#stoppedAt)) return
    // Not `after`, whose functions would add 0.9 KiB to each world.
    this.#timer = setTimeout(tickLater(new WeakRef(this)), Math.max(0, Math.min(longestWait, next - this.now())))
    if (typeof this.#timer === 'object') this.#timer.unref()
  }
}

throwAtCallSite(WorldClock.prototype, ['advance', 'set'])

/** The timer holds only a WeakRef, so it does not keep an unused world alive. */
function tickLater(clock: WeakRef<WorldClock>): () => void {
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
