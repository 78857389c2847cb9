import type { PlanName } from '../../../core/accounts/accounts.ts'
import type { LiveWorld } from '../../../core/world/live-world.ts'
import type { WorldEvent } from '../../../core/world/world-event.ts'
import { type EventType, sampleOfAccount } from '../../event-types.ts'
import { placeholderId } from '../apps/events.ts'
import {
  afterSubscriptionEnd,
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
  return {
    ...presentPurchase(purchase),
    balance: presentCredits(balance).balance,
  }
}

/** An event of an account, and of none of its apps. */
interface AccountEvent {
  readonly type: EventType
  readonly account: string
  readonly at: number
  readonly data: WorldEvent['data']
}

export function emitForAccount(world: LiveWorld, event: AccountEvent): void {
  world.emit({
    ...event,
    app: null,
  })
}

export function emitSubscription(
  world: LiveWorld,
  type: 'subscription.updated' | 'subscription.canceled',
  state: SubscriptionState,
  at: number,
): void {
  const { account } = state.subscription
  emitForAccount(world, {
    type,
    account,
    at,
    data: presentState(periodKindOf(world), state, at),
  })
}

function sampleSubscriptionCanceled(world: LiveWorld, account: string) {
  const kind = periodKindOf(world)
  const now = world.clock.now()
  const state = storedSubscriptionState(world, account)
  const { subscription, plan } = state
  if (subscription.status === 'canceled') return presentState(kind, state, now)
  const paid: PlanName = plan === 'free' ? 'lite' : plan
  return presentState(
    kind,
    afterSubscriptionEnd(
      {
        plan: paid,
        subscription,
      },
      periodOf(kind, subscription, now),
      now,
    ),
    now,
  )
}

function purchaseSample(status: 'succeeded' | 'failed') {
  return (world: LiveWorld, account: string) => {
    const now = world.clock.now()
    const own = world.collection(purchases).ownedBy(account).newest()
    const settled = {
      status,
      settled_at: now,
      payment_method: status === 'failed' ? ('pm_fails_later' as const) : ('pm_ok' as const),
    }
    const purchase = own.find((one) => one.status === status) ?? {
      ...(own[0] ?? {
        id: placeholderId('pur'),
        account,
        amount: 1_000,
        created_at: now,
      }),
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
