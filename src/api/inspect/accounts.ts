import { emitForAccount } from '../../areas/apps/payments/events.ts'
import { presentCredits } from '../../areas/apps/payments/present.ts'
import { scheduleRenewal } from '../../areas/apps/payments/renewal.ts'
import { credits } from '../../areas/apps/payments/schemas.ts'
import {
  afterPlanChange,
  periodKindOf,
  presentState,
  storedSubscriptionState,
  storeSubscriptionState,
} from '../../areas/apps/payments/subscription-state.ts'
import {
  type Account,
  accounts,
  hasPlainName,
  type Key,
  keys,
  type PlanName,
  planOf,
} from '../../core/accounts/accounts.ts'
import {
  type Limiter,
  type Spender,
  toKeyBudget,
  type WindowKind,
  type WindowName,
  type WindowState,
} from '../../core/accounts/rate-limit.ts'
import type { Effect, HypotheticalCaller } from '../../core/pipeline/exchange.ts'
import { toIso } from '../../core/time/time-text.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import type { CoreWorld } from '../../core/world/world.ts'

export interface QuotaWindow {
  readonly limit: number
  readonly used: number
  readonly remaining: number
  /** ISO 8601, on the world's clock. */
  readonly resets_at: string
}

export interface QuotaSummary {
  readonly minute: QuotaWindow
  readonly day: QuotaWindow
  readonly scenario: string | null
}

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
  return world.effectiveSettings.assumptions.get('rate-limit.scope') === 'key'
}

function toHypotheticalCaller(world: LiveWorld, account: Readonly<Account>): HypotheticalCaller {
  return { account, hasKey: (secret) => world.collection(keys).get(secret)?.account === account.id }
}

function quotaOf(world: LiveWorld, budget: string, caller: HypotheticalCaller): QuotaSummary {
  const { spender, effects, planner } = previewEffects(world, budget, caller)
  let { limiter } = world
  // The scenario that counts the requests, or else the one that sets the plan.
  let scenario = planner
  for (const effect of effects) {
    if (!effect.previewLimiter) continue
    limiter = effect.previewLimiter(spender, limiter)
    scenario = effect.scenario
  }
  const { minute, day } = limiter.preview(budget, spender.limits, spender.kind, world.clock.now())
  return { minute: toWindow(minute), day: toWindow(day), scenario: scenario ?? null }
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

/** Changes an account's plan without a charge, and sends the event, as if its owner had changed the subscription. */
export function setPlan(world: LiveWorld, account: string, plan: PlanName): void {
  world.clock.during(() => {
    const now = world.clock.now()
    const next = afterPlanChange(storedSubscriptionState(world, account), plan, now)
    if (next) {
      storeSubscriptionState(world, next)
      scheduleRenewal(world, account)
      emitForAccount(world, 'subscription.updated', account, now, presentState(periodKindOf(world), next, now))
    }
    world.recordChange({ plan: { account, plan } })
  })
}

export function refillQuota(world: LiveWorld, account: Readonly<Account>, window?: WindowName): void {
  const secrets = keysOf(world, account.id).map(({ secret }) => secret)
  world.recordChange({ refill: { account: account.id, window } })
  // Starts the counters of active scenarios first, so that the refill applies to them too.
  if (isByKey(world))
    for (const secret of secrets)
      startCounters(world, toKeyBudget(secret), { account, hasKey: (other) => other === secret })
  else startCounters(world, account.id, toHypotheticalCaller(world, account))
  for (const budget of [account.id, ...secrets.map(toKeyBudget)]) {
    world.limiter.refill(budget, window)
    for (const effect of world.effectiveSettings.effects as readonly Effect[]) effect.refill?.(budget, window)
  }
}

/** Starts the counters of active scenarios, as the next request would: what they leave of the budget is fixed from now on. */
function startCounters(world: CoreWorld, budget: string, caller: HypotheticalCaller): void {
  const { spender, effects } = previewEffects(world, budget, caller)
  let limiter: Limiter = world.limiter
  for (const effect of effects) limiter = effect.limiter?.(spender, limiter) ?? limiter
}

function previewEffects(world: CoreWorld, budget: string, { account, hasKey }: HypotheticalCaller) {
  let plan = account.plan
  let planner: string | undefined
  const effects: Effect[] = []
  for (const effect of world.effectiveSettings.effects as readonly Effect[]) {
    if (effect.wouldAct?.({ account: { ...account, plan }, hasKey }) === false) continue
    effects.push(effect)
    const next = effect.plan?.(account) ?? plan
    if (next !== plan) planner = effect.scenario
    plan = next
  }
  const kind = world.effectiveSettings.assumptions.get('rate-limit.window') as WindowKind
  return { spender: { budget, limits: planOf(world, plan), kind } satisfies Spender, effects, planner }
}

/**
 * Describes the keys that may be shown: those of plain words from the fixtures.
 * @param targets the real service, if one answers: the keys are its
 */
export function describeKeys(world: LiveWorld, targets: object | undefined) {
  const all = targets ? [] : world.collection(keys).all()
  const shown = all.filter(({ secret }) => hasPlainName(world, secret))
  const described = shown.map(({ secret, account, expires_at, revoked, scopes }) => {
    const plan = world.collection(accounts).get(account)?.plan
    const note = revoked ? 'revoked' : expires_at ? 'expires ' + expires_at : scopes ? scopes.join(' ') : undefined
    return [secret, { ...(plan !== undefined && { plan }), account, ...(note && { note }) }] as const
  })
  return Object.fromEntries(described)
}
