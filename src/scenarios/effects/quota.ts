import * as z from 'zod/mini'
import {
  Limiter,
  type Refill,
  type ScenarioQuota,
  type Spender,
  type WindowName,
} from '../../core/accounts/rate-limit.ts'
import { type WindowLeft, type WindowKind } from '../../core/accounts/windows.ts'
import { countOf } from '../../core/text/messages.ts'
import { defineEffect } from '../language/effect-kind.ts'
import { described, optional } from '../../core/contract/zod.ts'

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
    const left = {
      window,
      remaining,
      until,
    }
    const quota = activation.activationState(id, () => new OwnQuota(left))
    return {
      did: `left ${countOf(remaining, 'request')} of the ${window}`,
      quota,
    }
  },
})

interface LeftOfWindow extends WindowLeft {
  readonly window: WindowName
}

/** The counts of a scenario. The first request of a spender begins them. */
class OwnQuota implements ScenarioQuota {
  readonly #left: LeftOfWindow
  readonly #limiter: Limiter
  readonly #started: Set<string>

  constructor(left: LeftOfWindow, limiter = new Limiter(), started: Iterable<string> = []) {
    this.#left = left
    this.#limiter = limiter
    this.#started = new Set(started)
  }

  limiterFor(spender: Spender, below: Limiter): Limiter {
    const id = toSpenderId(spender)
    if (this.#started.has(id)) return this.#limiter
    this.#started.add(id)
    return this.#begin(this.#limiter, spender, below)
  }

  previewFor(spender: Spender, below: Limiter): Limiter {
    if (this.#started.has(toSpenderId(spender))) return this.#limiter
    return this.#begin(new Limiter(), spender, below)
  }

  refill(budget: string, window?: WindowName): void {
    this.#limiter.refill(budget, window)
  }

  refills(kind: WindowKind, now: number): readonly Refill[] {
    return this.#limiter.refills(kind, now)
  }

  get bytes(): number {
    return 200 + 1_000 * this.#started.size
  }

  clone(): OwnQuota {
    return new OwnQuota(this.#left, this.#limiter.clone(), this.#started)
  }

  #begin(limiter: Limiter, spender: Spender, below: Limiter): Limiter {
    limiter.setRemaining(spender, this.#left.window, this.#left, below)
    return limiter
  }
}

function toSpenderId({ budgetId, kind }: Spender): string {
  return `${kind} ${budgetId}`
}
