export type WindowKind = 'calendar' | 'first-request' | 'sliding'

/**
 * A count of requests over a length of time. Times are in milliseconds and never run backwards
 * between calls.
 */
export interface Window {
  remaining(limit: number, at: number): number
  add(amount: number, at: number): void
  /**
   * When the window resets. For a sliding window: when its oldest request expires; over the limit,
   * when the next request is allowed.
   */
  resetAt(limit: number, at: number): number
  clone(): Window
}

export function createWindow(kind: WindowKind, length: number): Window {
  if (kind === 'sliding') return new SlidingWindow(length)
  return new FixedWindow(length, kind === 'calendar')
}

/** Counts until its end, then begins again with the next request. */
class FixedWindow implements Window {
  readonly #length: number
  /** True if it ends with a minute or day of the calendar, not a whole length after it began. */
  readonly #isAligned: boolean
  #count = 0
  #end = -Infinity

  constructor(length: number, aligned: boolean) {
    this.#length = length
    this.#isAligned = aligned
  }

  remaining(limit: number, at: number): number {
    if (at < this.#end) return limit - this.#count
    return limit
  }

  add(amount: number, at: number): void {
    if (at >= this.#end) {
      this.#count = 0
      this.#end = this.#endOf(at)
    }
    this.#count += amount
  }

  resetAt(_limit: number, at: number): number {
    if (at < this.#end) return this.#end
    return this.#endOf(at)
  }

  clone(): Window {
    const copy = new FixedWindow(this.#length, this.#isAligned)
    copy.#count = this.#count
    copy.#end = this.#end
    return copy
  }

  #endOf(at: number): number {
    if (this.#isAligned) return (Math.floor(at / this.#length) + 1) * this.#length
    return at + this.#length
  }
}

/**
 * The most times that a sliding window keeps exactly. The largest plan of the reference has as many
 * requests a day.
 */
const maxExactTimes = 100_000

interface CountedRequests {
  readonly at: number
  readonly count: number
}

/**
 * Counts the requests of the last length of time. Requests at the same time are one item; beyond
 * 100,000 items, the oldest are merged.
 */
class SlidingWindow implements Window {
  readonly #length: number
  /** Oldest first; those before `#head` have expired. */
  #counted: CountedRequests[] = []
  #head = 0
  #size = 0

  constructor(length: number) {
    this.#length = length
  }

  remaining(limit: number, at: number): number {
    this.#expire(at)
    return limit - this.#size
  }

  add(amount: number, at: number): void {
    this.#expire(at)
    this.#size += amount
    let count = amount
    const last = this.#counted.at(-1)
    if (last?.at === at) {
      count += last.count
      this.#counted.pop()
    }
    this.#counted.push({ at, count })
    if (this.#counted.length - this.#head > 2 * maxExactTimes) this.#mergeOldest()
  }

  resetAt(limit: number, at: number): number {
    this.#expire(at)
    let next = this.#counted[this.#head]
    if (this.#size > limit) {
      // As soon as this item expires, only the newer ones count, and they are below the limit.
      let newer = 0
      next = this.#counted.findLast(({ count }) => {
        newer += count
        return newer >= limit
      })
    }
    return (next?.at ?? at) + this.#length
  }

  clone(): Window {
    const copy = new SlidingWindow(this.#length)
    copy.#counted = this.#counted.slice(this.#head)
    copy.#size = this.#size
    return copy
  }

  /** Merges each two of the oldest items, at the time of the second. */
  #mergeOldest(): void {
    const oldest = this.#counted.slice(this.#head, -maxExactTimes)
    const merged = oldest.flatMap(({ at, count }, index) => {
      if (index % 2 === 1) return []
      const second = oldest[index + 1] ?? {
        at,
        count: 0,
      }
      return {
        at: second.at,
        count: count + second.count,
      }
    })
    this.#counted = merged.concat(this.#counted.slice(-maxExactTimes))
    this.#head = 0
  }

  #expire(at: number): void {
    // Expired items are only passed; when they are most of the list, they are removed at once.
    let oldest = this.#counted[this.#head]
    while (oldest && oldest.at <= at - this.#length) {
      this.#size -= oldest.count
      oldest = this.#counted[++this.#head]
    }
    if (this.#head > 1_024 && this.#head * 2 > this.#counted.length) {
      this.#counted = this.#counted.slice(this.#head)
      this.#head = 0
    }
  }
}

/**
 * A window of a scenario, which begins partly or wholly spent. It begins with the first request and
 * lasts its whole length: a calendar minute could end a millisecond later.
 */
class SpentWindow implements Window {
  readonly #kind: WindowKind
  readonly #length: number
  /** The requests that count as made when it begins. */
  readonly #spent: number
  readonly #until: WindowLeft['until']
  #window: Window | undefined
  #end = -Infinity

  constructor(kind: WindowKind, length: number, spent: number, until: WindowLeft['until']) {
    this.#kind = kind
    this.#length = length
    this.#spent = spent
    this.#until = until
  }

  remaining(limit: number, at: number): number {
    return this.#windowAt(at).remaining(limit, at)
  }

  add(amount: number, at: number): void {
    this.#windowAt(at).add(amount, at)
  }

  resetAt(limit: number, at: number): number {
    return this.#windowAt(at).resetAt(limit, at)
  }

  clone(): Window {
    const copy = new SpentWindow(this.#kind, this.#length, this.#spent, this.#until)
    copy.#window = this.#window?.clone()
    copy.#end = this.#end
    return copy
  }

  /** Returns the window that counts at a time: a spent one, or after a reset an ordinary one. */
  #windowAt(at: number): Window {
    if (this.#window && at < this.#end) return this.#window
    if (this.#window && this.#until === 'reset') {
      this.#end = Infinity
      return (this.#window = createWindow(this.#kind, this.#length))
    }
    this.#end = at + this.#length
    this.#window = new FixedWindow(this.#length, false)
    this.#window.add(this.#spent, at)
    return this.#window
  }
}

export interface PlanLimits {
  readonly minute: number
  readonly day: number
}

export interface WindowState {
  readonly limit: number
  readonly remaining: number
  readonly resetAt: number
}

/** The state of both windows; `allowed` says whether the request just counted may pass. */
export interface Quota {
  readonly allowed: boolean
  readonly minute: WindowState
  readonly day: WindowState
}

/** Who spends a request: an account or a key, its limits, and how its windows count. */
export interface Spender {
  readonly budgetId: string
  readonly limits: PlanLimits
  readonly kind: WindowKind
}

export type WindowName = 'minute' | 'day'

/** How many requests a scenario leaves, until the window resets or the scenario is switched off. */
export interface WindowLeft {
  readonly remaining: number
  readonly until: 'reset' | 'cleared'
}

/** The time at which a window has all its requests again. */
export interface Refill {
  readonly budgetId: string
  readonly window: WindowName
  readonly at: number
}

/** The quotas that a scenario sets. They are counted apart from the world's. */
export interface ScenarioQuota {
  /** Returns what counts a request. @param below what would count it without the scenario */
  limiterFor(spender: Spender, below: Limiter): Limiter
  /** Returns what would count the next request. */
  previewFor(spender: Spender, below: Limiter): Limiter
  refill(budget: string, window?: WindowName): void
  refills(kind: WindowKind, now: number): readonly Refill[]
}

export function budgetOfKey(secret: string): string {
  return `key:${secret}`
}

const windowNames: readonly WindowName[] = ['minute', 'day']

type Budget = Readonly<Record<WindowName, Window>>

const windowLengths = {
  minute: 60_000,
  day: 86_400_000,
}
/** A limit that nobody reaches: a window has less of it left if it has counted a request. */
const unlimited = Number.MAX_SAFE_INTEGER

const neverRefilled = {}

/**
 * Counts the requests of all accounts and keys. A limiter's time never runs backwards, so moving
 * the clock back grants nothing.
 */
export class Limiter {
  #budgets: Map<WindowKind, Map<string, Budget>> | undefined
  #latest = -Infinity
  /** A new object after each refill, so that two states of a world can be compared. */
  refilled: object = neverRefilled

  /** Counts a request if it is allowed, or if rejected ones count too. */
  spend(spender: Spender, now: number, countRejected: boolean): Quota {
    const { limits } = spender
    const at = this.#advanceTo(now)
    const budget = this.#findOrCreate(spender)
    const { minute, day } = budget
    const allowed = minute.remaining(limits.minute, at) > 0 && day.remaining(limits.day, at) > 0
    if (allowed || countRejected) {
      minute.add(1, at)
      day.add(1, at)
    }
    return toQuota(allowed, budget, limits, at)
  }

  /** Reads a quota without counting. It moves the limiter's time on, as a request does. */
  peek(spender: Spender, now: number): Quota {
    const at = this.#advanceTo(now)
    return toQuota(true, this.#find(spender), spender.limits, at)
  }

  /** Reads a quota, and changes nothing. */
  preview(spender: Spender, now: number): Quota {
    const budget = cloneBudget(this.#find(spender))
    return toQuota(true, budget, spender.limits, Math.max(this.#latest, now))
  }

  /**
   * Sets what is left in a window, which begins with the next request. The other window is copied
   * from `below`, the limiter that counts without the scenario.
   */
  setRemaining(
    spender: Spender,
    window: WindowName,
    { remaining, until }: WindowLeft,
    below: Limiter,
  ): void {
    const { budgetId, limits, kind } = spender
    this.#advanceTo(below.#latest)
    const spent = Math.max(0, limits[window] - remaining)
    const begun = new SpentWindow(kind, windowLengths[window], spent, until)
    this.#budgetsOf(kind).set(budgetId, {
      ...cloneBudget(below.#find(spender)),
      [window]: begun,
    })
  }

  /** Returns when the windows that are not full will be. */
  refills(kind: WindowKind, now: number): Refill[] {
    const at = Math.max(this.#latest, now)
    return Array.from(this.#budgets?.get(kind) ?? []).flatMap(([budgetId, budget]) => {
      const windows = cloneBudget(budget)
      return windowNames
        .filter((window) => windows[window].remaining(unlimited, at) < unlimited)
        .map((window) => ({
          budgetId,
          window,
          at: windows[window].resetAt(unlimited, at),
        }))
    })
  }

  /** Fills one window of a budget, by default both. */
  refill(id: string, window?: WindowName): void {
    this.refilled = {}
    for (const [kind, budgets] of this.#budgets ?? []) {
      const budget = budgets.get(id)
      if (!budget) continue
      const fresh = createBudget(kind)
      budgets.set(
        id,
        window === undefined
          ? fresh
          : {
              ...budget,
              [window]: fresh[window],
            },
      )
    }
  }

  clone(): Limiter {
    const copy = new Limiter()
    copy.#latest = this.#latest
    copy.refilled = this.refilled
    for (const [kind, budgets] of this.#budgets ?? [])
      for (const [id, budget] of budgets) copy.#budgetsOf(kind).set(id, cloneBudget(budget))
    return copy
  }

  #advanceTo(now: number): number {
    return (this.#latest = Math.max(this.#latest, now))
  }

  #budgetsOf(kind: WindowKind): Map<string, Budget> {
    this.#budgets ??= new Map()
    let budgets = this.#budgets.get(kind)
    if (!budgets) this.#budgets.set(kind, (budgets = new Map()))
    return budgets
  }

  #find({ budgetId, kind }: Spender): Budget {
    return this.#budgets?.get(kind)?.get(budgetId) ?? createBudget(kind)
  }

  #findOrCreate({ budgetId, kind }: Spender): Budget {
    const budgets = this.#budgetsOf(kind)
    let budget = budgets.get(budgetId)
    if (!budget) budgets.set(budgetId, (budget = createBudget(kind)))
    return budget
  }
}

function createBudget(kind: WindowKind): Budget {
  return {
    minute: createWindow(kind, windowLengths.minute),
    day: createWindow(kind, windowLengths.day),
  }
}

function cloneBudget({ minute, day }: Budget): Budget {
  return {
    minute: minute.clone(),
    day: day.clone(),
  }
}

function toQuota(allowed: boolean, { minute, day }: Budget, limits: PlanLimits, at: number): Quota {
  return {
    allowed,
    minute: toWindowState(minute, limits.minute, at),
    day: toWindowState(day, limits.day, at),
  }
}

function toWindowState(window: Window, limit: number, at: number): WindowState {
  return {
    limit,
    remaining: Math.max(0, window.remaining(limit, at)),
    resetAt: window.resetAt(limit, at),
  }
}
