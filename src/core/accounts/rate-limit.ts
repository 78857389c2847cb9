import { cached } from '../contract/cache.ts'
import {
  createWindow,
  SpentWindow,
  type Window,
  type WindowKind,
  type WindowLeft,
} from './windows.ts'

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
    return cached((this.#budgets ??= new Map()), kind, () => new Map<string, Budget>())
  }

  #find({ budgetId, kind }: Spender): Budget {
    return this.#budgets?.get(kind)?.get(budgetId) ?? createBudget(kind)
  }

  #findOrCreate({ budgetId, kind }: Spender): Budget {
    return cached(this.#budgetsOf(kind), budgetId, () => createBudget(kind))
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
