import { accounts } from '../../../core/accounts/accounts.ts'
import type { Exchange } from '../../../core/pipeline/exchange.ts'
import type { PlanName } from '../../../core/accounts/plans.ts'
import type { CoreWorld } from '../../../core/world/world.ts'
import { paymentAssumptions } from './assumptions.ts'
import { periodAt, type Period, type PeriodKind } from './period.ts'
import { presentSubscription } from './present.ts'
import { subscriptions, type Subscription } from './schemas/subscription.ts'

export interface SubscriptionState {
  readonly plan: PlanName
  readonly subscription: Readonly<Subscription>
}

/** Returns an account's stored plan and subscription; ignores the plan of a scenario. */
export function storedSubscriptionState(
  world: CoreWorld,
  account: string,
  records: Pick<Exchange, 'collection'> = world,
): SubscriptionState {
  const plan = world.collection(accounts).get(account)?.plan ?? 'free'
  return { plan, subscription: subscriptionOn(records, account, plan) }
}

/** Returns the caller's plan and subscription with the plan of a scenario, if any. Do not store anything derived from them. */
export function visibleSubscriptionState(exchange: Exchange): SubscriptionState {
  const { account, plan } = exchange.caller!
  if (plan === account.plan) return storedSubscriptionState(exchange.world, account.id, exchange)
  return { plan, subscription: subscriptionOn(exchange, account.id, plan) }
}

/**
 * Returns the subscription for a plan. Without a record, periods are counted from 1970. An ended or unpaid subscription
 * counts as active if the account has changed its plan since.
 */
function subscriptionOn(
  records: Pick<Exchange, 'collection'>,
  account: string,
  plan: PlanName,
): Readonly<Subscription> {
  const stored = records.collection(subscriptions).get(account)
  if (!stored) return { account, status: 'active', anchor: 0 }
  const isOutdated = plan === 'free' ? stored.status === 'past_due' : stored.status === 'canceled'
  return isOutdated ? { account, status: 'active', anchor: stored.anchor } : stored
}

export function storeSubscriptionState(
  world: CoreWorld,
  { plan, subscription }: SubscriptionState,
  records: Pick<Exchange, 'collection'> = world,
): void {
  const { account } = subscription
  const owners = world.collection(accounts)
  if (owners.get(account)?.plan !== plan) owners.update(account, { plan })
  const stored = records.collection(subscriptions)
  const absent = { ending: undefined, canceled_at: undefined, former_plan: undefined, unpaid: undefined }
  if (!stored.update(account, { ...absent, ...subscription })) stored.create(subscription)
}

export function afterPlanChange(
  { plan: before, subscription: { account, anchor, status } }: SubscriptionState,
  plan: PlanName,
  now: number,
): SubscriptionState | undefined {
  if (plan === before && status === 'active') return undefined
  const isNew = before === 'free' && plan !== 'free'
  return { plan, subscription: { account, status: 'active', anchor: isNew ? now : anchor } }
}

export function afterSubscriptionEnd(
  { plan, subscription: { account, anchor } }: SubscriptionState,
  ending: Period,
  canceled_at: number,
): SubscriptionState {
  return { plan: 'free', subscription: { account, anchor, status: 'canceled', ending, canceled_at, former_plan: plan } }
}

export function periodKindOf(world: CoreWorld): PeriodKind {
  return world.effectiveSettings.assumptions.get('payments.period') as PeriodKind
}

export function periodKindOfRequest(exchange: Exchange): PeriodKind {
  return exchange.assume(paymentAssumptions, 'payments.period')
}

export function periodOf(kind: PeriodKind, { ending, anchor }: Readonly<Subscription>, at: number): Period {
  return ending ?? periodAt(kind, anchor, at)
}

export function presentState(kind: PeriodKind, { plan, subscription }: SubscriptionState, at: number) {
  return presentSubscription(subscription, plan, periodOf(kind, subscription, at))
}
