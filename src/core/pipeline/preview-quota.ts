import type { Limiter, Quota, Spender } from '../accounts/rate-limit.ts'
import type { WindowKind } from '../accounts/rate-window.ts'
import { planOf } from '../accounts/plans.ts'
import type { CoreWorld } from '../world/world.ts'
import type { Effect, HypotheticalCaller } from './exchange.ts'

interface QuotaPreview {
  readonly quota: Quota
  /** The scenario that counts the requests, or else the one that sets the plan; `undefined` without one. */
  readonly scenario: string | undefined
}

export function previewQuota(world: CoreWorld, budget: string, caller: HypotheticalCaller): QuotaPreview {
  const { spender, effects, planner } = previewEffects(world, budget, caller)
  let limiter = world.limiter
  let counting: string | undefined
  for (const effect of effects) {
    if (!effect.previewLimiter) continue
    limiter = effect.previewLimiter(spender, limiter)
    counting = effect.scenario
  }
  const quota = limiter.preview(budget, spender.limits, spender.kind, world.clock.now())
  return { quota, scenario: counting ?? planner }
}

/** Starts the counters of active scenarios, as the next request would: what they leave of the budget is fixed from now on. */
export function startCounters(world: CoreWorld, budget: string, caller: HypotheticalCaller): void {
  const { spender, effects } = previewEffects(world, budget, caller)
  let limiter: Limiter = world.limiter
  for (const effect of effects) limiter = effect.limiter?.(spender, limiter) ?? limiter
}

function previewEffects(world: CoreWorld, budget: string, { account, hasKey }: HypotheticalCaller) {
  let plan = account.plan
  let planner: string | undefined
  const effects: Effect[] = []
  for (const effect of world.overlay.effects as readonly Effect[]) {
    if (effect.wouldAct?.({ account: { ...account, plan }, hasKey }) === false) continue
    effects.push(effect)
    const next = effect.plan?.(account) ?? plan
    if (next !== plan) planner = effect.scenario
    plan = next
  }
  const kind = world.overlay.assumptions.get('rate-limit.window') as WindowKind
  return { spender: { budget, limits: planOf(world, plan), kind } satisfies Spender, effects, planner }
}
