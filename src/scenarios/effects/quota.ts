import * as z from 'zod/mini'
import type { Effect } from '../../core/effect.ts'
import { coreAssumptions } from '../../core/ledger.ts'
import { budgetOf } from '../../core/quota.ts'
import { Limiter } from '../../core/rate-limit.ts'
import { callerFilter, where } from '../condition.ts'
import { defineEffect, type Activation } from '../effect-kind.ts'

const spec = z.strictObject({
  window: z.enum(['minute', 'day']),
  remaining: z.optional(z.int().check(z.nonnegative())),
  where,
})

/**
 * `quota`: leaves callers with so many requests in the window in which the scenario was switched on. They spend from a
 * counter of the scenario's own, so that the world's is as it was when the scenario is cleared.
 */
export const quotaEffect = defineEffect({
  name: 'quota',
  schema: z.array(spec),
  create: (specs, activation) => specs.map((each) => toEffect(each, activation, new Limiter(), new Set())),
})

function toEffect(quota: z.infer<typeof spec>, activation: Activation, limiter: Limiter, started: Set<string>): Effect {
  const { window, remaining = 0, where } = quota
  const isMeant = callerFilter(where)
  return {
    scenario: activation.scenario,
    fork: () => toEffect(quota, activation, limiter.clone(), new Set(started)),
    limiter(exchange, caller) {
      if (!isMeant(caller.key, { ...caller.account, plan: caller.plan })) return undefined
      const kind = exchange.assume(coreAssumptions, 'rate-limit.window')
      const budget = budgetOf(exchange, caller)
      if (!started.has(`${kind} ${budget}`)) {
        started.add(`${kind} ${budget}`)
        limiter.leave(budget, window, remaining, caller.limits, kind, activation.now)
      }
      return limiter
    },
  }
}
