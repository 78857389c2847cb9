import { accounts } from '../../../core/accounts/accounts.ts'
import type { Exchange } from '../../../core/pipeline/exchange.ts'
import type { PlanName } from '../../../core/accounts/plans.ts'
import type { World } from '../../../core/world/world.ts'
import { paymentAssumptions } from './assumptions.ts'
import { periodAt, type Period, type PeriodKind } from './period.ts'
import { presentSubscription } from './present.ts'
import { subscriptions, type Subscription } from './schemas/subscription.ts'

/** What an account pays for: its plan and its subscription. */
export interface Standing {
  readonly plan: PlanName
  readonly subscription: Readonly<Subscription>
}

/** How an account stands, whatever a scenario pretends. */
export function storedStanding(world: World, account: string, records: Pick<Exchange, 'collection'> = world): Standing {
  const plan = world.collection(accounts).get(account)?.plan ?? 'free'
  return { plan, subscription: subscriptionOn(records, account, plan) }
}

/** How the caller stands as the request sees it: on the plan that a scenario pretends, where one does. What is stored must not come of it. */
export function seenStanding(exchange: Exchange): Standing {
  const { account, plan } = exchange.caller!
  if (plan === account.plan) return storedStanding(exchange.world, account.id, exchange)
  return { plan, subscription: subscriptionOn(exchange, account.id, plan) }
}

/** A subscription without a record counts its periods from 1970. One that ended or was unpaid is active again when the account has another plan since. */
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

/** Stores an account's plan and subscription. */
export function storeStanding(
  world: World,
  { plan, subscription }: Standing,
  records: Pick<Exchange, 'collection'> = world,
): void {
  const { account } = subscription
  const owners = world.collection(accounts)
  if (owners.get(account)?.plan !== plan) owners.update(account, { plan })
  const stored = records.collection(subscriptions)
  const absent = { ending: undefined, canceled_at: undefined, former_plan: undefined, unpaid: undefined }
  if (!stored.update(account, { ...absent, ...subscription })) stored.create(subscription)
}

/** How an account stands once it is on a plan; `undefined` where nothing changes. */
export function toChanged(
  { plan: before, subscription: { account, anchor, status } }: Standing,
  plan: PlanName,
  now: number,
): Standing | undefined {
  if (plan === before && status === 'active') return undefined
  const isNew = before === 'free' && plan !== 'free'
  return { plan, subscription: { account, status: 'active', anchor: isNew ? now : anchor } }
}

/** How a paid plan ends: the account is on the free one. @param ending the period that it ends with. */
export function toEnded(
  { plan, subscription: { account, anchor } }: Standing,
  ending: Period,
  canceled_at: number,
): Standing {
  return { plan: 'free', subscription: { account, anchor, status: 'canceled', ending, canceled_at, former_plan: plan } }
}

/** How long periods are where no request asks. */
export function periodKindOf(world: World): PeriodKind {
  return world.overlay.assumptions.get('payments.period') as PeriodKind
}

/** How long periods are for a request. */
export function periodKindFor(exchange: Exchange): PeriodKind {
  return exchange.assume(paymentAssumptions, 'payments.period')
}

/** The period that a subscription is in at a time, or ended with. */
export function periodOf(kind: PeriodKind, { ending, anchor }: Readonly<Subscription>, at: number): Period {
  return ending ?? periodAt(kind, anchor, at)
}

/** A subscription as replies and events carry it. */
export function showSubscription(kind: PeriodKind, { plan, subscription }: Standing, at: number) {
  return presentSubscription(subscription, plan, periodOf(kind, subscription, at))
}
