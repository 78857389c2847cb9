import * as z from 'zod/mini'
import type { Caller } from '../../core/accounts/caller.ts'
import type { Effect } from '../../core/pipeline/exchange.ts'
import type { Exchange } from '../../core/pipeline/exchange.ts'
import { coreAssumptions } from '../../core/pipeline/assumptions.ts'
import { budgetOf } from '../../core/pipeline/quota.ts'
import { Limiter } from '../../core/accounts/rate-limit.ts'
import { conditions } from '../condition.ts'
import { defineEffect } from '../effect-kind.ts'
import { createTrigger } from '../trigger.ts'

/**
 * `quota`: leaves callers with a number of requests in the window in which the scenario was switched on. They spend from a counter of the scenario's own, so that the world's is as it was when the scenario is
 * cleared. What is said of the minute leaves the day to whatever else counts it, and the other way round.
 */
export const quotaEffect = defineEffect({
  name: 'quota',
  schema: z.array(
    z.strictObject({
      window: z.enum(['minute', 'day']),
      remaining: z.optional(z.int().check(z.nonnegative())),
      ...conditions,
    }),
  ),
  create: (specs, activation) =>
    specs.map(({ window, remaining = 0, ...spec }, index) => {
      const id = `quota.${index}`
      const budgets = activation.own(id, () => new Budgets())
      const effect: Effect = {
        ...activation.name(id),
        decide: createTrigger(spec, activation.counter(id), 'everything'),
        limiter(exchange, caller) {
          const kind = exchange.assume(coreAssumptions, 'rate-limit.window')
          const budget = budgetOf(exchange, caller)
          if (budgets.start(`${kind} ${budget}`))
            budgets.limiter.leave(
              budget,
              window,
              remaining,
              caller.limits,
              kind,
              activation.now,
              limiterBelow(effect, exchange, caller),
            )
          return budgets.limiter
        },
      }
      return effect
    }),
})

/** What the caller would spend from without the effect. */
function limiterBelow(effect: Effect, exchange: Exchange, caller: Caller): Limiter {
  const effects = exchange.effects.for('limiter')
  const below = effects[effects.findIndex((one) => one === effect) - 1]
  return below?.limiter(exchange, caller) ?? exchange.world.limiter
}

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

  /** Tells whether this is the first time. */
  start(budget: string): boolean {
    const before = this.#started.size
    return this.#started.add(budget).size > before
  }

  clone(): Budgets {
    return new Budgets(this.limiter.clone(), this.#started)
  }
}
