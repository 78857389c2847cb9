import * as z from 'zod/mini'
import { coreAssumptions } from '../../core/pipeline/assumptions.ts'
import { budgetOf } from '../../core/pipeline/quota.ts'
import { Limiter } from '../../core/accounts/rate-limit.ts'
import { defineEffect } from '../effect-kind.ts'

/**
 * `quota`: leaves callers with a number of requests in the window in which the scenario was switched on. They spend from a counter of the scenario's own, so that the world's is as it was when the scenario is
 * cleared. What is said of the minute leaves the day to whatever else counts it, and the other way round.
 */
export const quotaEffect = defineEffect({
  name: 'quota',
  description: 'Sets how many requests are left in the rate-limit window in which the scenario is switched on.',
  actsOn: 'everything',
  fields: {
    window: z.enum(['minute', 'day']).check(z.describe('Which limit: per minute or per day.')),
    remaining: z
      .optional(z.int().check(z.nonnegative()))
      .check(z.describe('How many requests are left; 0 by default.')),
  },
  create({ window, remaining = 0 }, { activation, id }) {
    const budgets = activation.own(id, () => new Budgets())
    const { now } = activation
    return {
      limiter(exchange, caller, below) {
        const kind = exchange.assume(coreAssumptions, 'rate-limit.window')
        const budget = budgetOf(exchange, caller)
        if (budgets.start(`${kind} ${budget}`))
          budgets.limiter.leave(budget, window, remaining, caller.limits, kind, now, below)
        return budgets.limiter
      },
      counter: (budget, kind) => (budgets.has(`${kind} ${budget}`) ? budgets.limiter : undefined),
    }
  },
})

/** The scenario's own counter, and who spends from it already. */
class Budgets {
  readonly limiter: Limiter
  readonly #started: Set<string>

  constructor(limiter = new Limiter(), started: ReadonlySet<string> = new Set()) {
    this.limiter = limiter
    this.#started = new Set(started)
  }

  /** Windows of two lengths for each of a few accounts. */
  get bytes(): number {
    return 200 + 1_000 * this.#started.size
  }

  has(budget: string): boolean {
    return this.#started.has(budget)
  }

  /** Tells whether this is the first time. */
  start(budget: string): boolean {
    const before = this.#started.size
    return this.#started.add(budget).size > before
  }

  clone(): Budgets {
    return new Budgets(this.limiter.clone(), this.#started)
  }
}
