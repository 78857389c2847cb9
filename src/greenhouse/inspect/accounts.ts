import { changePlan } from '../../areas/apps/payments/change-plan.ts'
import { presentCredits } from '../../areas/apps/payments/present.ts'
import { credits } from '../../areas/apps/payments/schemas/credits.ts'
import { periodKindOf, presentState, storedSubscriptionState } from '../../areas/apps/payments/subscription-state.ts'
import { keys, type Account, type Key } from '../../core/accounts/accounts.ts'
import type { PlanName } from '../../core/accounts/plans.ts'
import { toKeyBudget, type WindowName, type WindowState } from '../../core/accounts/rate-limit.ts'
import type { Effect, HypotheticalCaller } from '../../core/pipeline/exchange.ts'
import { previewQuota, startCounters } from '../../core/pipeline/preview-quota.ts'
import { toIso } from '../../core/time/time-text.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'

export interface QuotaWindow {
  readonly limit: number
  readonly used: number
  readonly remaining: number
  /** ISO 8601, on the world's clock. */
  readonly resets_at: string
}

export interface QuotaSummary {
  readonly minute: QuotaWindow
  /** The UTC day. */
  readonly day: QuotaWindow
  readonly scenario: string | null
}

/** Returns the quota of an account; `null` if each key has its own (`rate-limit.scope`). */
export function quotaOfAccount(world: LiveWorld, account: Readonly<Account>): QuotaSummary | null {
  return isByKey(world) ? null : quotaOf(world, account.id, toHypotheticalCaller(world, account))
}

export function quotaOfKey(
  world: LiveWorld,
  { secret }: Readonly<Key>,
  account: Readonly<Account>,
): QuotaSummary | null {
  return isByKey(world) ? quotaOf(world, toKeyBudget(secret), { account, hasKey: (other) => other === secret }) : null
}

function isByKey(world: LiveWorld): boolean {
  return world.overlay.assumptions.get('rate-limit.scope') === 'key'
}

function toHypotheticalCaller(world: LiveWorld, account: Readonly<Account>): HypotheticalCaller {
  return { account, hasKey: (secret) => world.collection(keys).get(secret)?.account === account.id }
}

function quotaOf(world: LiveWorld, budget: string, caller: HypotheticalCaller): QuotaSummary {
  const { quota, scenario } = previewQuota(world, budget, caller)
  return { minute: toWindow(quota.minute), day: toWindow(quota.day), scenario: scenario ?? null }
}

function toWindow({ limit, remaining, resetAt }: WindowState): QuotaWindow {
  return { limit, used: limit - remaining, remaining, resets_at: toIso(resetAt) }
}

export function paymentsOf(world: LiveWorld, { id }: Readonly<Account>) {
  return {
    credits: presentCredits(world.collection(credits).get(id)),
    subscription: presentState(periodKindOf(world), storedSubscriptionState(world, id), world.clock.now()),
  }
}

export function keysOf(world: LiveWorld, account: string): readonly Readonly<Key>[] {
  return world.collection(keys).ownedBy(account).oldest(Infinity)
}

export function setPlan(world: LiveWorld, account: string, plan: PlanName): void {
  world.clock.during(() => {
    changePlan(world, account, plan)
    world.remember({ plan: { account, plan } })
  })
}

export function refillQuota(world: LiveWorld, account: Readonly<Account>, window?: WindowName): void {
  const secrets = keysOf(world, account.id).map(({ secret }) => secret)
  world.remember({ refill: { account: account.id, window } })
  // Starts the counters of active scenarios first, so that the refill applies to them too.
  if (isByKey(world))
    for (const secret of secrets)
      startCounters(world, toKeyBudget(secret), { account, hasKey: (other) => other === secret })
  else startCounters(world, account.id, toHypotheticalCaller(world, account))
  for (const budget of [account.id, ...secrets.map(toKeyBudget)]) {
    world.limiter.refill(budget, window)
    for (const effect of world.overlay.effects as readonly Effect[]) effect.refill?.(budget, window)
  }
}
