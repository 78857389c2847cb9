/** The limits of one plan, as the reference states them. */
export interface PlanLimits {
  minute: number
  day: number
}

export interface Expected {
  status: number
  remaining: Record<'minute' | 'day', number>
  resetAt: Record<'minute' | 'day', number>
}

export type Mode = 'calendar' | 'first-request' | 'sliding'

const lengths = { minute: 60_000, day: 86_400_000 }
const windows = ['minute', 'day'] as const

/** The definition of a window: how many requests it counts at a time, and when it resets. */
type Definition = (counted: number[], length: number, at: number, limit: number) => { count: number; resetAt: number }

const definitions: Record<Mode, Definition> = {
  calendar(counted, length, at) {
    const period = Math.floor(at / length)
    return {
      count: counted.filter((time) => Math.floor(time / length) === period).length,
      resetAt: (period + 1) * length,
    }
  },
  'first-request'(counted, length, at) {
    let first: number | undefined
    let count = 0
    for (const time of counted) {
      if (first === undefined || time - first >= length) [first, count] = [time, 0]
      count++
    }
    return first === undefined || at - first >= length
      ? { count: 0, resetAt: at + length }
      : { count, resetAt: first + length }
  },
  sliding(counted, length, at, limit) {
    const inside = counted.filter((time) => at - time < length)
    const leaving = inside.length <= limit ? inside[0] : inside.at(-limit)
    return { count: inside.length, resetAt: (leaving ?? at) + length }
  },
}

/** A limiter that remembers every counted request, and computes everything again each time. */
export class NaiveLimiter {
  readonly #definition: Definition
  readonly #countsRejected: boolean
  readonly #counted = new Map<string, number[]>()
  #latest = -Infinity

  constructor(mode: Mode, countsRejected: boolean) {
    this.#definition = definitions[mode]
    this.#countsRejected = countsRejected
  }

  request(budget: string, limits: PlanLimits, now: number): Expected {
    const at = this.#observe(now)
    const counted = this.#of(budget)
    const allowed = windows.every(
      (window) => this.#definition(counted, lengths[window], at, limits[window]).count < limits[window],
    )
    if (allowed || this.#countsRejected) counted.push(at)
    return this.#describe(allowed ? 200 : 429, counted, limits, at)
  }

  look(budget: string, limits: PlanLimits, now: number): Expected {
    return this.#describe(404, this.#of(budget), limits, this.#observe(now))
  }

  /** A time that has been seen is never unseen. */
  #observe(now: number): number {
    return (this.#latest = Math.max(this.#latest, now))
  }

  #of(budget: string): number[] {
    if (!this.#counted.has(budget)) this.#counted.set(budget, [])
    return this.#counted.get(budget)!
  }

  #describe(status: number, counted: number[], limits: PlanLimits, at: number): Expected {
    const [minute, day] = windows.map((window) => this.#definition(counted, lengths[window], at, limits[window]))
    return {
      status,
      remaining: { minute: Math.max(0, limits.minute - minute!.count), day: Math.max(0, limits.day - day!.count) },
      resetAt: { minute: minute!.resetAt, day: day!.resetAt },
    }
  }
}
