import { accounts } from '../../../core/accounts.ts'
import type { Exchange } from '../../../core/exchange.ts'
import type { PlanName } from '../../../core/plans.ts'
import { paymentAssumptions } from './assumptions.ts'
import { periodAt, type Period } from './period.ts'
import { presentSubscription } from './present.ts'
import { subscriptions, type Subscription } from './schemas.ts'

/** The plan that the caller is on: a scenario's, or the one that is stored by now, which an operation just before may have changed. */
export function currentPlan({ caller, world }: Exchange): PlanName {
  const { account, plan } = caller!
  return plan === account.plan ? (world.collection(accounts).get(account.id)?.plan ?? plan) : plan
}

/** The caller's subscription. One that nobody wrote down is counted from 1970 on; a canceled one whose account was put on a paid plan again is active. */
export function subscriptionOf(exchange: Exchange, plan: PlanName): Readonly<Subscription> {
  const account = exchange.caller!.account.id
  const stored = exchange.collection(subscriptions).get(account)
  if (!stored) return { account, status: 'active', anchor: 0 }
  return stored.status === 'canceled' && plan !== 'free' ? { account, status: 'active', anchor: stored.anchor } : stored
}

/** Puts a subscription in the place of the caller's. */
export async function storeSubscription(exchange: Exchange, subscription: Subscription): Promise<void> {
  const stored = exchange.collection(subscriptions)
  const absent = { ending: undefined, canceled_at: undefined, former_plan: undefined }
  if (!(await stored.update(subscription.account, { ...absent, ...subscription }))) await stored.create(subscription)
}

/** The period that the subscription is in, or ended with. */
export function periodOf(exchange: Exchange, { ending, anchor }: Readonly<Subscription>): Period {
  return ending ?? periodAt(exchange.assume(paymentAssumptions, 'payments.period'), anchor, exchange.now)
}

/** The caller's subscription as a reply carries it. */
export function showSubscription(exchange: Exchange, subscription: Readonly<Subscription>, plan: PlanName) {
  return presentSubscription(subscription, plan, periodOf(exchange, subscription))
}
