import { changePlan } from '../../areas/apps/payments/change-plan.ts'
import { presentCredits } from '../../areas/apps/payments/present.ts'
import { credits } from '../../areas/apps/payments/schemas/credits.ts'
import { periodKindOf, showSubscription, storedStanding } from '../../areas/apps/payments/standing.ts'
import { keys, type Account, type Key } from '../../core/accounts/accounts.ts'
import { plans, type PlanName } from '../../core/accounts/plans.ts'
import type { WindowName, WindowState } from '../../core/accounts/rate-limit.ts'
import type { WindowKind } from '../../core/accounts/rate-window.ts'
import { toIso } from '../../core/time/clock.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'

/** One window of a quota. */
export interface QuotaWindow {
  /** Requests that the plan permits. */
  readonly limit: number
  readonly used: number
  readonly remaining: number
  /** ISO 8601, on the world's clock. */
  readonly resets_at: string
}

/** What is left of a plan. */
export interface QuotaSummary {
  readonly minute: QuotaWindow
  /** The UTC day. */
  readonly day: QuotaWindow
  /** The scenario whose own counter this is; `null` for the world's. */
  readonly scenario: string | null
}

/** How many requests an account has left; `null` where each key has a quota of its own (`rate-limit.scope`). */
export function quotaOfAccount(world: LiveWorld, { id, plan }: Readonly<Account>): QuotaSummary | null {
  return isByKey(world) ? null : quotaOf(world, id, plan)
}

/** How many requests a key has left; `null` when it spends its account's quota. */
export function quotaOfKey(world: LiveWorld, { secret }: Readonly<Key>, plan: PlanName): QuotaSummary | null {
  return isByKey(world) ? quotaOf(world, `key:${secret}`, plan) : null
}

function isByKey(world: LiveWorld): boolean {
  return world.overlay.assumptions.get('rate-limit.scope') === 'key'
}

function quotaOf(world: LiveWorld, budget: string, plan: PlanName): QuotaSummary {
  const kind = world.overlay.assumptions.get('rate-limit.window') as WindowKind
  const effect = world.overlay.effects.findLast((one) => one.counter?.(budget, kind) !== undefined)
  const limiter = effect?.counter?.(budget, kind) ?? world.limiter
  const { minute, day } = limiter.peek(budget, plans[plan], kind, world.clock.now())
  return { minute: toWindow(minute), day: toWindow(day), scenario: effect?.scenario ?? null }
}

function toWindow({ limit, remaining, resetAt }: WindowState): QuotaWindow {
  return { limit, used: limit - remaining, remaining, resets_at: toIso(resetAt) }
}

/** An account's balance and subscription, as its owner would be told. */
export function paymentsOf(world: LiveWorld, { id }: Readonly<Account>) {
  return {
    credits: presentCredits(world.collection(credits).get(id)),
    subscription: showSubscription(periodKindOf(world), storedStanding(world, id), world.clock.now()),
  }
}

/** The keys of an account, the oldest first. */
export function keysOf(world: LiveWorld, account: string): readonly Readonly<Key>[] {
  return world.collection(keys).ownedBy(account).oldest(Infinity)
}

/** Puts an account on another plan, as a change of its subscription does, without a charge. */
export function putOnPlan(world: LiveWorld, account: string, plan: PlanName): void {
  changePlan(world, account, plan)
}

/** Refills the quota of an account in one window or both, and those of its keys when each key has its own. */
export function refillQuota(world: LiveWorld, account: string, window?: WindowName): void {
  const budgets = [account, ...keysOf(world, account).map(({ secret }) => `key:${secret}`)]
  const kinds: readonly WindowKind[] = ['calendar', 'first-request', 'sliding']
  for (const budget of budgets) {
    world.limiter.refill(budget, window)
    for (const effect of world.overlay.effects)
      for (const kind of kinds) effect.counter?.(budget, kind)?.refill(budget, window)
  }
}
