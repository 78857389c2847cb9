import * as z from 'zod/mini'
import { budgetOf } from '../../core/quota.ts'
import { coreAssumptions } from '../../core/ledger.ts'
import { Limiter } from '../../core/rate-limit.ts'
import { callerFilter, where } from '../condition.ts'
import { defineEffect } from '../effect-kind.ts'

/**
 * `quota`: leaves callers with so many requests in the window in which the scenario was switched on. They spend from a
 * counter of the scenario's own, so that the world's is as it was when the scenario is cleared.
 */
export const quotaEffect = defineEffect({
  name: 'quota',
  schema: z.array(
    z.strictObject({
      window: z.enum(['minute', 'day']),
      remaining: z.optional(z.int().check(z.nonnegative())),
      where,
    }),
  ),
  create: (specs, { scenario, now }) =>
    specs.map(({ window, remaining = 0, where }) => {
      const isMeant = callerFilter(where)
      const limiter = new Limiter()
      const started = new Set<string>()
      return {
        scenario,
        limiter(exchange, caller) {
          if (!isMeant(caller.key, { ...caller.account, plan: caller.plan })) return undefined
          const kind = exchange.assume(coreAssumptions, 'rate-limit.window')
          const budget = budgetOf(exchange, caller)
          if (!started.has(`${kind} ${budget}`)) {
            started.add(`${kind} ${budget}`)
            limiter.leave(budget, window, remaining, caller.limits, kind, now)
          }
          return limiter
        },
      }
    }),
})
