import * as z from 'zod/mini'
import { Limiter, type Spender } from '../../core/accounts/rate-limit.ts'
import { countOf } from '../../core/text/messages.ts'
import { defineEffect } from '../language/effect-kind.ts'
import { described, optional } from '../language/fields.ts'

/**
 * Requests count against the scenario's own counter: the world's does not change, nor the limit of
 * the other window.
 */
export const quotaEffect = defineEffect({
  name: 'quota',
  description:
    'Sets how many requests are left in a rate-limit window. The window begins with the first request that meets it.',
  actsOn: 'everything',
  fields: {
    window: described(z.enum(['minute', 'day']), 'Which limit: per minute or per day.'),
    remaining: optional(
      z.int().check(z.nonnegative()),
      'How many requests are left; 0 by default.',
    ),
    until: optional(
      z.enum(['reset', 'cleared']),
      'Whether it ends when the window resets, which is the default, or when the scenario is cleared.',
    ),
  },
  create({ window, remaining = 0, until = 'reset' }, { activation, id }) {
    const budgets = activation.activationState(id, () => new Budgets())
    const leave = (limiter: Limiter, spender: Spender, below: Limiter) => {
      limiter.leave(spender, window, { remaining, until }, below)
      return limiter
    }
    return {
      act: `left ${countOf(remaining, 'request')} of the ${window}`,
      limiter: (spender, below) =>
        budgets.start(spender) ? leave(budgets.limiter, spender, below) : budgets.limiter,
      previewLimiter: (spender, below) =>
        budgets.has(spender) ? budgets.limiter : leave(new Limiter(), spender, below),
      refill: (budget, which) => budgets.limiter.refill(budget, which),
      refills: (kind, now) => budgets.limiter.refills(kind, now),
    }
  },
})

class Budgets {
  readonly limiter: Limiter
  readonly #started: Set<string>

  constructor(limiter = new Limiter(), started: ReadonlySet<string> = new Set()) {
    this.limiter = limiter
    this.#started = new Set(started)
  }

  get bytes(): number {
    return 200 + 1_000 * this.#started.size
  }

  has({ budget, kind }: Spender): boolean {
    return this.#started.has(`${kind} ${budget}`)
  }

  start({ budget, kind }: Spender): boolean {
    const before = this.#started.size
    return this.#started.add(`${kind} ${budget}`).size > before
  }

  clone(): Budgets {
    return new Budgets(this.limiter.clone(), this.#started)
  }
}
