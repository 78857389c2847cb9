import { plans } from './plans.ts'
import { createWindow, type Window, type WindowKind } from './rate-window.ts'
import { SpentWindow, type Spent } from './spent-window.ts'

/** How many requests a minute and a day may hold. */
export interface Limits {
  readonly minute: number
  readonly day: number
}

/** One window as a reply describes it; `resetAt` is in milliseconds since 1970. */
export interface WindowState {
  readonly limit: number
  readonly remaining: number
  readonly resetAt: number
}

/** What is left of a budget, and whether the request that was just counted was within it. */
export interface Quota {
  readonly allowed: boolean
  readonly minute: WindowState
  readonly day: WindowState
}

/** Who spends requests, and what they are held against. */
export interface Spender {
  /** Whose budget it is: an account's id, or `key:` and a secret. */
  readonly budget: string
  readonly limits: Limits
  readonly kind: WindowKind
}

export type WindowName = 'minute' | 'day'

/** What a scenario leaves of a window, and until when. */
export interface Left extends Pick<Spent, 'until'> {
  /** How many requests. */
  readonly remaining: number
}

/** When a window in which something was counted of a budget refills, in milliseconds since 1970. */
export interface Refill {
  readonly budget: string
  readonly window: WindowName
  readonly at: number
}

/** The budget of a key that has one of its own. */
export function toKeyBudget(secret: string): string {
  return `key:${secret}`
}

const windowNames: readonly WindowName[] = ['minute', 'day']

interface Budget {
  readonly minute: Window
  readonly day: Window
}

const lengths = { minute: 60_000, day: 86_400_000 }
const largest = {
  minute: Math.max(...Object.values(plans).map((limits) => limits.minute)),
  day: Math.max(...Object.values(plans).map((limits) => limits.day)),
}

/** Counts requests against the limits of plans. One a world; its time never runs backwards, so that moving the clock back grants nothing. */
export class Limiter {
  readonly #budgets = new Map<WindowKind, Map<string, Budget>>()
  #latest = -Infinity

  /** Counts one request of `id` and tells whether it was within both windows. A rejected one is counted only with `countRejected`. */
  spend(id: string, limits: Limits, kind: WindowKind, now: number, countRejected = false): Quota {
    const at = this.#at(now)
    const { minute, day } = this.#budget(id, kind)
    const allowed = minute.remaining(limits.minute, at) > 0 && day.remaining(limits.day, at) > 0
    if (allowed || countRejected) {
      minute.add(1, at)
      day.add(1, at)
    }
    return toQuota(allowed, minute, day, limits, at)
  }

  /** What is left for `id`; nothing is counted. */
  peek(id: string, limits: Limits, kind: WindowKind, now: number): Quota {
    const at = this.#at(now)
    const { minute, day } = this.#budgets.get(kind)?.get(id) ?? createBudget(kind)
    return toQuota(true, minute, day, limits, at)
  }

  /**
   * Leaves a spender with `remaining` requests, or all that there are, in a window that begins with the next request; the other window
   * is as it is `below`.
   */
  leave({ budget: id, limits, kind }: Spender, window: WindowName, { remaining, until }: Left, below: Limiter): void {
    this.#at(below.#latest)
    const other = below.#budgets.get(kind)?.get(id) ?? createBudget(kind)
    const amount = Math.max(0, limits[window] - remaining)
    const spent = new SpentWindow(kind, lengths[window], largest[window], { amount, until })
    this.#budgetsOf(kind).set(
      id,
      window === 'minute' ? { minute: spent, day: other.day.clone() } : { minute: other.minute.clone(), day: spent },
    )
  }

  /** The windows that requests are counted in now, and when each refills. */
  refills(kind: WindowKind, now: number): Refill[] {
    const at = this.#at(now)
    return Array.from(this.#budgets.get(kind) ?? []).flatMap(([budget, windows]) =>
      windowNames
        .filter((window) => windows[window].remaining(largest[window], at) < largest[window])
        .map((window) => ({ budget, window, at: windows[window].resetAt(largest[window], at) })),
    )
  }

  /** Forgets what was counted of `id`, in one window or in both. */
  refill(id: string, window?: WindowName): void {
    for (const [kind, budgets] of this.#budgets) {
      const budget = budgets.get(id)
      if (!budget) continue
      const fresh = createBudget(kind)
      budgets.set(id, window === undefined ? fresh : { ...budget, [window]: fresh[window] })
    }
  }

  /** Whether something was counted of `id`. */
  knows(id: string, kind: WindowKind): boolean {
    return this.#budgets.get(kind)?.has(id) ?? false
  }

  /** A limiter of its own with the same counts. */
  clone(): Limiter {
    const copy = new Limiter()
    copy.#latest = this.#latest
    for (const [kind, budgets] of this.#budgets)
      copy.#budgets.set(
        kind,
        new Map(Array.from(budgets, ([id, { minute, day }]) => [id, { minute: minute.clone(), day: day.clone() }])),
      )
    return copy
  }

  #at(now: number): number {
    return (this.#latest = Math.max(this.#latest, now))
  }

  #budgetsOf(kind: WindowKind): Map<string, Budget> {
    let budgets = this.#budgets.get(kind)
    if (!budgets) this.#budgets.set(kind, (budgets = new Map()))
    return budgets
  }

  #budget(id: string, kind: WindowKind): Budget {
    const budgets = this.#budgetsOf(kind)
    let budget = budgets.get(id)
    if (!budget) budgets.set(id, (budget = createBudget(kind)))
    return budget
  }
}

function createBudget(kind: WindowKind): Budget {
  return {
    minute: createWindow(kind, lengths.minute, largest.minute),
    day: createWindow(kind, lengths.day, largest.day),
  }
}

function toQuota(allowed: boolean, minute: Window, day: Window, limits: Limits, at: number): Quota {
  return { allowed, minute: toState(minute, limits.minute, at), day: toState(day, limits.day, at) }
}

function toState(window: Window, limit: number, at: number): WindowState {
  return { limit, remaining: Math.max(0, window.remaining(limit, at)), resetAt: window.resetAt(limit, at) }
}
