import { accounts, type PlanName } from '../../../core/accounts/accounts.ts'
import { assumptionValue } from '../../../core/contract/assumptions.ts'
import type { AuthenticatedExchange, StoreSource } from '../../../core/pipeline/operation.ts'
import { monthOf, startOfMonth, toIso, toIsoOrNull } from '../../../core/time/time-text.ts'
import type { LiveWorld } from '../../../core/world/live-world.ts'
import { type Subscription, subscriptions } from './schemas.ts'

export interface SubscriptionState {
  readonly plan: PlanName
  readonly subscription: Readonly<Subscription>
}

export function storedSubscriptionState(
  world: LiveWorld,
  account: string,
  records: StoreSource = world,
): SubscriptionState {
  return subscriptionStateOn(
    records,
    account,
    world.collection(accounts).get(account)?.plan ?? 'free',
  )
}

/**
 * Returns the caller's plan and subscription with the plan of a scenario, if any. Do not store
 * anything derived from them.
 */
export function visibleSubscriptionState(exchange: AuthenticatedExchange): SubscriptionState {
  const { account, plan } = exchange.caller
  if (plan === account.plan) return storedSubscriptionState(exchange.world, account.id, exchange)
  return subscriptionStateOn(exchange, account.id, plan)
}

/**
 * Without a record, periods count from 1970. An ended or unpaid one is active if the plan has
 * changed since.
 */
export function subscriptionStateOn(
  records: StoreSource,
  account: string,
  plan: PlanName,
): SubscriptionState {
  const stored = records.collection(subscriptions).get(account)
  const outdated = plan === 'free' ? 'past_due' : 'canceled'
  if (stored && stored.status !== outdated)
    return {
      plan,
      subscription: stored,
    }
  return {
    plan,
    subscription: {
      account,
      status: 'active',
      anchor: stored?.anchor ?? 0,
    },
  }
}

export function storeSubscriptionState(
  world: LiveWorld,
  { plan, subscription }: SubscriptionState,
  records: StoreSource = world,
): void {
  const { account } = subscription
  const owners = world.collection(accounts)
  if (owners.get(account)?.plan !== plan) owners.update(account, { plan })
  const stored = records.collection(subscriptions)
  const absent = {
    ending: undefined,
    canceled_at: undefined,
    former_plan: undefined,
    unpaid: undefined,
  }
  if (!stored.update(account, { ...absent, ...subscription })) stored.create(subscription)
}

/** Returns the state itself if the change is none. */
export function afterPlanChange(
  state: SubscriptionState,
  plan: PlanName,
  now: number,
): SubscriptionState {
  const { account, anchor, status } = state.subscription
  if (plan === state.plan && status === 'active') return state
  const isNew = state.plan === 'free' && plan !== 'free'
  return {
    plan,
    subscription: {
      account,
      status: 'active',
      anchor: isNew ? now : anchor,
    },
  }
}

export function afterSubscriptionEnd(
  { plan, subscription: { account, anchor } }: SubscriptionState,
  ending: Period,
  canceled_at: number,
): SubscriptionState {
  return {
    plan: 'free',
    subscription: {
      account,
      anchor,
      status: 'canceled',
      ending,
      canceled_at,
      former_plan: plan,
    },
  }
}

export function periodKindOf(world: LiveWorld): PeriodKind {
  return assumptionValue(world.effectiveSettings, 'payments.period')
}

export function periodKindOfRequest(exchange: AuthenticatedExchange): PeriodKind {
  return exchange.assume('payments.period')
}

export function periodOf(
  kind: PeriodKind,
  { ending, anchor }: Readonly<Subscription>,
  at: number,
): Period {
  return ending ?? periodAt(kind, anchor, at)
}

export function presentState(
  kind: PeriodKind,
  { plan, subscription }: SubscriptionState,
  at: number,
) {
  const { status, canceled_at, former_plan } = subscription
  const { start, end } = periodOf(kind, subscription, at)
  return {
    plan,
    status: status === 'canceling' ? ('active' as const) : status,
    cancel_at_period_end: status === 'canceling',
    period_start: toIso(start),
    period_end: toIso(end),
    canceled_at: toIsoOrNull(canceled_at),
    former_plan: former_plan ?? null,
  }
}

/**
 * A period of a subscription, in milliseconds since 1970. It includes `start` and excludes `end`.
 */
export interface Period {
  readonly start: number
  readonly end: number
}

export type PeriodKind = '30d' | 'month'

const day = 86_400_000

/**
 * Returns the period that contains `at`. Periods follow each other without gaps, before and after
 * `anchor`.
 */
export function periodAt(kind: PeriodKind, anchor: number, at: number): Period {
  if (kind === '30d') {
    const length = 30 * day
    const start = anchor + Math.floor((at - anchor) / length) * length
    return {
      start,
      end: start + length,
    }
  }
  let count = monthOf(at) - monthOf(anchor)
  if (addMonths(anchor, count) > at) count--
  return {
    start: addMonths(anchor, count),
    end: addMonths(anchor, count + 1),
  }
}

function addMonths(anchor: number, count: number): number {
  const month = monthOf(anchor) + count
  const first = startOfMonth(month)
  const days = (startOfMonth(month + 1) - first) / day
  const into = anchor - startOfMonth(monthOf(anchor))
  return first + Math.min(Math.floor(into / day), days - 1) * day + (into % day)
}
