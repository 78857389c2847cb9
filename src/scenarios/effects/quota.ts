import * as z from 'zod/mini'
import { coreAssumptions } from '../../core/ledger.ts'
import { budgetOf } from '../../core/quota.ts'
import { Limiter } from '../../core/rate-limit.ts'
import { conditions } from '../condition.ts'
import { defineEffect } from '../effect-kind.ts'
import { createTrigger } from '../trigger.ts'

/**
 * `quota`: leaves callers with so many requests in the window in which the scenario was switched on. They spend from a
 * counter of the scenario's own, so that the world's is as it was when the scenario is cleared.
 */
export const quotaEffect = defineEffect({
  name: 'quota',
  schema: z.array(z.strictObject({ window: z.enum(['minute', 'day']), remaining: z.optional(z.int().check(z.nonnegative())), ...conditions })),
  create: (specs, activation) =>
    specs.map((spec, index) => {
      const id = `quota.${index}`
      const budgets = activation.own(id, () => new Budgets())
      return {
        ...createTrigger(spec, id, activation, 'on everything'),
        limiter(exchange, caller) {
          const kind = exchange.assume(coreAssumptions, 'rate-limit.window')
          const budget = budgetOf(exchange, caller)
          if (budgets.start(`${kind} ${budget}`)) budgets.limiter.leave(budget, spec.window, spec.remaining ?? 0, caller.limits, kind, activation.now)
          return budgets.limiter
        },
      }
    }),
})

/** The scenario's own counter, and who spends from it already. */
class Budgets {
  readonly limiter: Limiter
  readonly #started: Set<string>

  constructor(limiter = new Limiter(), started: ReadonlySet<string> = new Set()) {
    this.limiter = limiter
    this.#started = new Set(started)
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
