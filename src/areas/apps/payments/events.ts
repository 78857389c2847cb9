import { toIso } from '../../../core/time/time-text.ts'
import { planOf, type PlanName } from '../../../core/accounts/plans.ts'
import type { CoreWorld } from '../../../core/world/world.ts'
import type { WorldEvent } from '../../../core/definitions/events.ts'
import { sampleOfAccount } from '../../event-sample.ts'
import type { EventType } from '../../event-types.ts'
import { newestRecords, placeholderId } from '../app-event-sample.ts'
import type { PeriodKind } from './period.ts'
import { presentCredits, presentPurchase } from './present.ts'
import { credits, type Credits } from './schemas/credits.ts'
import { purchases, type Purchase } from './schemas/purchase.ts'
import {
  periodKindOf,
  periodOf,
  presentState,
  storedSubscriptionState,
  afterSubscriptionEnd,
  type SubscriptionState,
} from './subscription-state.ts'

/** Returns the data of `credits.purchased` and `payment.failed` for a purchase: it, with the balance after it. */
export function toPurchaseEvent(purchase: Readonly<Purchase>, balance: Readonly<Credits> | undefined) {
  return { ...presentPurchase(purchase), balance: presentCredits(balance).balance }
}

/** A failed charge of a subscription: its number since the renewal, and the time of the next one, if any. */
interface FailedCharge {
  readonly attempt: number
  readonly nextAt: number | undefined
}

/** Returns the data of `payment.failed` for a renewal: the subscription and the amount in US cents. */
export function toRenewalFailed(
  world: CoreWorld,
  kind: PeriodKind,
  state: SubscriptionState,
  at: number,
  { attempt, nextAt }: FailedCharge,
) {
  return {
    subscription: presentState(kind, state, at),
    amount: planOf(world, state.plan).price,
    currency: 'USD',
    attempt,
    next_attempt_at: nextAt === undefined ? null : toIso(nextAt),
  }
}

/** Emits an event about an account and no app. */
export function emitForAccount(
  world: CoreWorld,
  type: EventType,
  account: string,
  at: number,
  data: WorldEvent['data'],
): void {
  world.emit({ type, at, account, app: null, data })
}

function sampleSubscriptionUpdated(world: CoreWorld, account: string) {
  return presentState(periodKindOf(world), storedSubscriptionState(world, account), world.clock.now())
}

/** Returns sample data of `subscription.canceled`: the account's subscription as if it ended now. */
function sampleSubscriptionCanceled(world: CoreWorld, account: string) {
  const kind = periodKindOf(world)
  const now = world.clock.now()
  const state = storedSubscriptionState(world, account)
  const { subscription, plan } = state
  if (subscription.status === 'canceled') return presentState(kind, state, now)
  const paid: PlanName = plan === 'free' ? 'lite' : plan
  return presentState(
    kind,
    afterSubscriptionEnd({ plan: paid, subscription }, periodOf(kind, subscription, now), now),
    now,
  )
}

/**
 * Returns a function for sample data: the newest purchase with this status, or else the newest or a generated one, changed to this status.
 */
function purchaseSample(status: 'succeeded' | 'failed') {
  return (world: CoreWorld, account: string) => {
    const now = world.clock.now()
    const own = newestRecords(world.collection(purchases).ownedBy(account))
    const settled = {
      status,
      settled_at: now,
      payment_method: status === 'failed' ? ('pm_fails_later' as const) : ('pm_ok' as const),
    }
    const purchase = own.find((one) => one.status === status) ?? {
      ...(own[0] ?? { id: placeholderId('pur'), account, amount: 1_000, created_at: now }),
      ...settled,
    }
    return toPurchaseEvent(purchase, world.collection(credits).get(account))
  }
}

/** The data of `subscription.updated` and `subscription.canceled` is the subscription. */
export const paymentEvents = {
  'subscription.updated': /* @__PURE__ */ sampleOfAccount(sampleSubscriptionUpdated),
  'subscription.canceled': /* @__PURE__ */ sampleOfAccount(sampleSubscriptionCanceled),
  'credits.purchased': /* @__PURE__ */ sampleOfAccount(/* @__PURE__ */ purchaseSample('succeeded')),
  'payment.failed': /* @__PURE__ */ sampleOfAccount(/* @__PURE__ */ purchaseSample('failed')),
}
