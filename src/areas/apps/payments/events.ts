import { toIso } from '../../../core/time/time-text.ts'
import { planOf, type PlanName } from '../../../core/accounts/accounts.ts'
import type { CoreWorld, WorldEvent } from '../../../core/world/world.ts'
import { type EventType, sampleOfAccount } from '../../event-types.ts'
import { placeholderId } from '../apps/events.ts'
import {
  afterSubscriptionEnd,
  type PeriodKind,
  periodKindOf,
  periodOf,
  presentState,
  storedSubscriptionState,
  type SubscriptionState,
} from './subscription-state.ts'
import { presentCredits, presentPurchase } from './present.ts'
import { credits, type Credits, type Purchase, purchases } from './schemas.ts'

export function toPurchaseEvent(
  purchase: Readonly<Purchase>,
  balance: Readonly<Credits> | undefined,
) {
  return { ...presentPurchase(purchase), balance: presentCredits(balance).balance }
}

export function toRenewalFailed(
  world: CoreWorld,
  kind: PeriodKind,
  state: SubscriptionState,
  at: number,
  attempt: number,
  nextAt: number | undefined,
) {
  return {
    subscription: presentState(kind, state, at),
    amount: planOf(world, state.plan).price,
    currency: 'USD',
    attempt,
    next_attempt_at: nextAt === undefined ? null : toIso(nextAt),
  }
}

export function emitForAccount(
  world: CoreWorld,
  type: EventType,
  account: string,
  at: number,
  data: WorldEvent['data'],
): void {
  world.emit({ type, at, account, app: null, data })
}

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

function purchaseSample(status: 'succeeded' | 'failed') {
  return (world: CoreWorld, account: string) => {
    const now = world.clock.now()
    const own = world.collection(purchases).ownedBy(account).newest()
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

export const paymentEvents = {
  'subscription.updated': /* @__PURE__ */ sampleOfAccount((world, account) =>
    presentState(periodKindOf(world), storedSubscriptionState(world, account), world.clock.now()),
  ),
  'subscription.canceled': /* @__PURE__ */ sampleOfAccount(sampleSubscriptionCanceled),
  'credits.purchased': /* @__PURE__ */ sampleOfAccount(/* @__PURE__ */ purchaseSample('succeeded')),
  'payment.failed': /* @__PURE__ */ sampleOfAccount(/* @__PURE__ */ purchaseSample('failed')),
}
