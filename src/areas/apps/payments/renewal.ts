import { type Account, accounts, planOf } from '../../../core/accounts/accounts.ts'
import { assumptionValue } from '../../../core/contract/assumptions.ts'
import { sharedByBuilds } from '../../../core/contract/builds.ts'
import { onCommit } from '../../../core/store/records.ts'
import type { DueWork } from '../../../core/time/clock.ts'
import { toIsoOrNull, toMilliseconds } from '../../../core/time/time-text.ts'
import { schedulePendingWork, definePendingWork } from '../../../core/world/pending.ts'
import type { AreaLifecycle, LiveWorld } from '../../../core/world/live-world.ts'
import { canFail, isDeclined } from './settlement.ts'
import { emitForAccount, emitSubscription } from './events.ts'
import { type Subscription, subscriptions } from './schemas.ts'
import {
  afterPlanChange,
  afterSubscriptionEnd,
  periodAt,
  periodKindOf,
  periodOf,
  presentState,
  storedSubscriptionState,
  storeSubscriptionState,
  subscriptionStateOn,
  type SubscriptionState,
} from './subscription-state.ts'
import { cached } from '../../../core/contract/cache.ts'

/** How long after the first failure an unpaid renewal is charged again, by the assumption's value. */
const retryDelays: Record<'standard' | 'none', readonly string[]> = {
  standard: ['3d', '5d', '7d'],
  none: [],
}

type Unpaid = NonNullable<Subscription['unpaid']>

/**
 * Functions that cancel scheduled renewals, by account. A successful renewal changes nothing, so
 * only those that can fail are scheduled.
 */
const scheduledRenewals = sharedByBuilds(
  'renewals',
  () => new WeakMap<LiveWorld, Map<string, () => void>>(),
)

export const renewalLifecycle: AreaLifecycle = {
  stop(world) {
    scheduledRenewals.delete(world)
  },
  refresh(world) {
    for (const cancel of scheduledRenewals.get(world)?.values() ?? []) cancel()
    scheduledRenewals.delete(world)
    if (canFail(world))
      for (const { id } of world.collection(accounts).all()) scheduleRenewal(world, id)
  },
  written(world, collection, record, before) {
    if (collection === accounts.name)
      accountWritten(world, record as Account, before as Account | undefined)
    else if (collection === subscriptions.name)
      scheduleRenewal(world, (record as Subscription).account)
  },
  upcoming: (world) =>
    world
      .collection(accounts)
      .all()
      .slice(0, maxUpcoming)
      .flatMap(({ id }) => nextRenewal(world, id)),
}

/**
 * A new plan in the record of an account acts as its owner's change of the subscription does, but
 * charges nothing.
 */
function accountWritten(
  world: LiveWorld,
  { id, plan }: Account,
  before: Account | undefined,
): void {
  if (before && before.plan !== plan) {
    const now = world.clock.now()
    const next = afterPlanChange(subscriptionStateOn(world, id, before.plan), plan, now)
    storeSubscriptionState(world, next)
    emitSubscription(world, 'subscription.updated', next, now)
  }
  scheduleRenewal(world, id)
}

/** The most accounts whose next renewals are listed. */
const maxUpcoming = 1_000

function nextRenewal(world: LiveWorld, account: string): DueWork[] {
  const { plan, subscription } = storedSubscriptionState(world, account)
  if (plan === 'free' || subscription.status !== 'active') return []
  const { end: at } = periodAt(periodKindOf(world), subscription.anchor, world.clock.now())
  return [
    {
      at,
      kind: 'renewal',
      title: `The subscription of ${account} to ${planOf(world, plan).name} renews`,
      subject: {
        collection: subscriptions.name,
        id: account,
      },
    },
  ]
}

/** How far back renewals are caught up on when the clock leaps, in milliseconds: ten years. */
const maxCatchUpMs = 10 * 365 * 86_400_000

/**
 * Schedules an account's next renewal after a time, by default now, instead of the one that was
 * scheduled.
 */
export function scheduleRenewal(
  world: LiveWorld,
  account: string,
  after = world.clock.now(),
): void {
  onCommit(() => scheduleRenewalNow(world, account, after))
}

function scheduleRenewalNow(world: LiveWorld, account: string, after: number): void {
  scheduledRenewals.get(world)?.get(account)?.()
  if (!canFail(world)) return
  const { plan, subscription } = storedSubscriptionState(world, account)
  if (plan === 'free' || subscription.status !== 'active') return
  const renewalsOfWorld = cached(scheduledRenewals, world, () => new Map())
  const { end } = periodAt(
    periodKindOf(world),
    subscription.anchor,
    Math.max(after, world.clock.now() - maxCatchUpMs),
  )
  const cancel = world.schedule(
    end,
    (at) => {
      // After a restore, the clock still has renewals that `scheduledRenewals` no longer has.
      if (scheduledRenewals.get(world)?.get(account) === cancel) renew(world, account, at)
    },
    // `upcoming` lists all renewals, scheduled or not.
    () => [],
  )
  renewalsOfWorld.set(account, cancel)
}

/** Charges a renewal that is due, and schedules the next one if the charge does not fail. */
function renew(world: LiveWorld, account: string, at: number): void {
  const state = storedSubscriptionState(world, account)
  const { plan, subscription } = state
  const isDue =
    plan !== 'free' &&
    subscription.status === 'active' &&
    periodAt(periodKindOf(world), subscription.anchor, at).start === at
  if (isDue && isDeclined(world, 'renewal', account))
    recordFailedCharge(world, state, at, {
      since: at,
      attempts: 1,
    })
  else scheduleRenewal(world, account, at)
}

function recordFailedCharge(
  world: LiveWorld,
  state: SubscriptionState,
  at: number,
  unpaid: Unpaid,
): void {
  const { account } = state.subscription
  const { attempts } = unpaid
  const kind = periodKindOf(world)
  const nextAt = chargeAfter(unpaid, retriesOf(world))
  const subscription: Subscription = {
    ...state.subscription,
    status: 'past_due',
    unpaid,
  }
  const next = { ...state, subscription }
  storeSubscriptionState(world, next)
  schedulePendingWork(world, pendingCharges, next.subscription)
  const data = {
    subscription: presentState(kind, next, at),
    amount: planOf(world, next.plan).price,
    currency: 'USD',
    attempt: attempts,
    next_attempt_at: toIsoOrNull(nextAt),
  }
  emitForAccount(world, {
    type: 'payment.failed',
    account,
    at,
    data,
  })
  if (attempts === 1) emitSubscription(world, 'subscription.updated', next, at)
  const isCanceled = assumptionValue(world.effectiveSettings, 'payments.unpaid') === 'cancel'
  if (nextAt !== undefined || !isCanceled) return
  const ended = afterSubscriptionEnd(next, periodOf(kind, next.subscription, at), at)
  storeSubscriptionState(world, ended)
  emitSubscription(world, 'subscription.canceled', ended, at)
}

function retriesOf(world: LiveWorld): keyof typeof retryDelays {
  return assumptionValue(world.effectiveSettings, 'payments.renewal-retries')
}

/** Returns when an unpaid renewal is charged again; nothing after the last try. */
function chargeAfter(
  { since, attempts }: Unpaid,
  schedule: keyof typeof retryDelays,
): number | undefined {
  const delay = retryDelays[schedule][attempts - 1]
  if (delay === undefined) return undefined
  return since + toMilliseconds(delay)
}

/** The charges of unpaid renewals that are tried again. */
export const pendingCharges = definePendingWork({
  collection: subscriptions,
  isWaiting: ({ status }) => status === 'past_due',
  applies: (world) => retriesOf(world) === 'standard',
  dueAt({ status, unpaid }) {
    if (status !== 'past_due' || !unpaid) return undefined
    return chargeAfter(unpaid, 'standard')
  },
  finish(world, { account, unpaid }, at) {
    if (unpaid) chargeAgain(world, account, unpaid, at)
  },
  describe: ({ account, unpaid = { attempts: 0 } }) => ({
    kind: 'charge',
    title: `The unpaid subscription of ${account} is charged again, attempt ${unpaid.attempts + 1}`,
    subject: {
      collection: subscriptions.name,
      id: account,
    },
  }),
})

function chargeAgain(
  world: LiveWorld,
  account: string,
  { since, attempts }: Unpaid,
  at: number,
): void {
  const state = storedSubscriptionState(world, account)
  if (isDeclined(world, 'renewal', account))
    return recordFailedCharge(world, state, at, {
      since,
      attempts: attempts + 1,
    })
  const { anchor } = state.subscription
  const paid: SubscriptionState = {
    plan: state.plan,
    subscription: {
      account,
      anchor,
      status: 'active',
    },
  }
  storeSubscriptionState(world, paid)
  scheduleRenewal(world, account, at)
  emitSubscription(world, 'subscription.updated', paid, at)
}

/** Ends a canceled subscription at the end of its period. */
function endPlan(world: LiveWorld, account: string, at: number): void {
  const state = storedSubscriptionState(world, account)
  const { ending, canceled_at } = state.subscription
  if (state.plan === 'free' || !ending || canceled_at === undefined) return
  const ended = afterSubscriptionEnd(state, ending, canceled_at)
  storeSubscriptionState(world, ended)
  emitSubscription(world, 'subscription.canceled', ended, at)
}

function endOfCanceled({ status, ending }: Readonly<Subscription>): number | undefined {
  if (status !== 'canceling') return undefined
  return ending?.end
}

/** The ends of canceled subscriptions. */
export const pendingCancellations = definePendingWork({
  collection: subscriptions,
  isWaiting: ({ status }) => status === 'canceling',
  dueAt: endOfCanceled,
  finish: (world, { account }, at) => endPlan(world, account, at),
  describe: ({ account }) => ({
    kind: 'cancellation',
    title: `The canceled subscription of ${account} ends`,
    subject: {
      collection: subscriptions.name,
      id: account,
    },
  }),
})
