import * as z from 'zod/mini'
import { type PlanName, planOf } from '../../../core/accounts/accounts.ts'
import { ApiError, invalidRequest } from '../../../core/contract/errors.ts'
import { type AuthenticatedExchange, declareOperation } from '../../../core/pipeline/operation.ts'
import { choiceOf } from '../../../core/pipeline/list-query.ts'
import { OrderedEntries } from '../../../core/store/record-index.ts'
import { schedulePendingWork } from '../../../core/world/pending.ts'
import {
  declareCreate,
  declareGet,
  declareGetRecord,
  declareList,
  declareListRecords,
  defineResource,
  fieldFilter,
  insertRecord,
} from '../declare.ts'
import { chargeFor, createSettlement, pendingPurchases } from './settlement.ts'
import { knownPlan, plansByPrice } from './plans.ts'
import { presentCredits, presentPlan, presentPurchase, purchaseKind } from './present.ts'
import {
  pendingCancellations,
  pendingCharges,
  renewalLifecycle,
  scheduleRenewal,
} from './renewal.ts'
import {
  credits,
  creditsSchema,
  newPurchaseSchema,
  planSchema,
  purchases,
  purchaseSchema,
  purchaseStatuses,
  renewalFailedSchema,
  settledPurchaseSchema,
  subscriptionChangesSchema,
  subscriptions,
  subscriptionSchema,
} from './schemas.ts'
import {
  afterPlanChange,
  afterSubscriptionEnd,
  type PeriodKind,
  periodKindOfRequest,
  periodOf,
  presentState,
  storedSubscriptionState,
  storeSubscriptionState,
  type SubscriptionState,
  visibleSubscriptionState,
} from './subscription-state.ts'

/** How long a purchase is pending, in milliseconds, by the value of `payments.settle`. */
const settleDelays = {
  '3s': 3_000,
  instant: 0,
  '1h': 3_600_000,
}

export const paymentResource = defineResource({
  operations: [
    declareList({
      id: 'plans.list',
      path: '/plans',
      title: 'List the plans',
      scope: 'any',
      item: planSchema,
      filters: {
        order: {
          description: 'asc begins with the cheapest plan, desc with the most expensive.',
          schema: choiceOf(['asc', 'desc']),
          default: 'asc',
        },
      },
      records: ({ world }) =>
        new OrderedEntries(plansByPrice(world).map((record, sequence) => ({ sequence, record }))),
      shown: { presenterFor: () => presentPlan },
    }),

    declareGet({
      id: 'plans.get',
      path: '/plans/{plan_id}',
      title: 'Get a plan',
      scope: 'any',
      result: planSchema,
      read: (exchange, params) => presentPlan(knownPlan(exchange, params)),
    }),

    declareGet({
      id: 'subscription.get',
      path: '/subscription',
      title: 'Get the subscription',
      scope: 'payments:read',
      result: subscriptionSchema,
      read: (exchange) =>
        presentState(
          periodKindOfRequest(exchange),
          visibleSubscriptionState(exchange),
          exchange.now,
        ),
    }),

    /**
     * Changes the plan immediately, up or down: its limits apply from the next request. Undoes a
     * cancellation, and pays an unpaid period. A change from the free plan to a paid one starts a
     * new period. A declined payment changes nothing.
     */
    declareOperation({
      id: 'subscription.update',
      method: 'PUT',
      path: '/subscription',
      title: 'Change the plan',
      scope: 'payments:write',
      body: subscriptionChangesSchema,
      example: { plan: 'pro_plus' },
      result: subscriptionSchema,
      errors: () => ['payment_declined'],
      handle(exchange, { body: { plan } }) {
        const { world, now, caller } = exchange
        const kind = periodKindOfRequest(exchange)
        // A scenario may show a request another state than the stored one: it decides what the
        // change costs and what the reply has, and the stored state is what changes.
        const seen = visibleSubscriptionState(exchange)
        chargeForChange(exchange, seen, plan)
        const stored = storedSubscriptionState(world, caller.account.id, exchange)
        const next = afterPlanChange(stored, plan, now)
        if (next !== stored) {
          storeSubscriptionState(world, next, exchange)
          scheduleRenewal(world, next.subscription.account)
          exchange.emit('subscription.updated', null, presentState(kind, next, now))
        }
        return {
          status: 200,
          body: presentState(kind, afterPlanChange(seen, plan, now), now),
        }
      },
    }),

    /**
     * Cancels the subscription at the end of its period on the world's clock; immediately if it is
     * unpaid. A second call changes nothing.
     */
    declareOperation({
      id: 'subscription.cancel',
      method: 'DELETE',
      path: '/subscription',
      title: 'Cancel the subscription',
      scope: 'payments:write',
      result: subscriptionSchema,
      handle(exchange) {
        const { world, now, caller } = exchange
        const kind = periodKindOfRequest(exchange)
        const seen = visibleSubscriptionState(exchange)
        if (seen.plan === 'free') throw invalidRequest('The free plan has nothing to cancel.')
        const next = afterCancellation(
          kind,
          storedSubscriptionState(world, caller.account.id, exchange),
          now,
        )
        if (next) {
          storeSubscriptionState(world, next, exchange)
          const { status } = next.subscription
          schedulePendingWork(world, pendingCancellations, next.subscription)
          exchange.emit(
            status === 'canceling' ? 'subscription.updated' : 'subscription.canceled',
            null,
            presentState(kind, next, now),
          )
        }
        return {
          status: 200,
          body: presentState(kind, afterCancellation(kind, seen, now) ?? seen, now),
        }
      },
    }),

    declareGet({
      id: 'credits.get',
      path: '/credits',
      title: 'Get the balance of credits',
      scope: 'payments:read',
      result: creditsSchema,
      read: (exchange) =>
        presentCredits(exchange.collection(credits).get(exchange.caller.account.id)),
    }),

    declareListRecords(purchaseKind, {
      id: 'purchases.list',
      title: 'List purchases of credits',
      scope: 'payments:read',
      filters: {
        status: {
          description: 'Purchases with this status.',
          schema: choiceOf(purchaseStatuses),
        },
      },
      matches: fieldFilter('status'),
    }),

    declareCreate({
      id: 'purchases.create',
      path: '/credits/purchases',
      title: 'Buy credits',
      scope: 'payments:write',
      body: newPurchaseSchema,
      example: {
        amount: 1_000,
        payment_method: 'pm_ok',
      },
      result: purchaseSchema,
      errors: () => ['payment_declined'],
      create(exchange, { body }) {
        if (body.payment_method === 'pm_declined')
          throw new ApiError('payment_declined').because(
            'The payment method pm_declined is always declined',
          )
        const outcome = chargeFor(exchange, 'purchase')
        const { world, now } = exchange
        const delay = settleDelays[exchange.assume('payments.settle')]
        const stored = exchange.collection(purchases)
        const purchase = insertRecord(exchange, purchaseKind, {
          ...body,
          status: 'pending',
          settles_at: now + delay,
        })
        const finish = createSettlement(
          exchange,
          outcome === undefined && body.payment_method === 'pm_ok',
        )
        if (delay > 0) schedulePendingWork(world, { ...pendingPurchases, finish }, purchase, stored)
        else finish(world, purchase, now)
        return presentPurchase(stored.get(purchase.id) ?? purchase)
      },
    }),

    declareGetRecord(purchaseKind, {
      id: 'purchases.get',
      title: 'Get a purchase of credits',
      scope: 'payments:read',
    }),
  ],
  eventSchemas: {
    'subscription.updated': subscriptionSchema,
    'subscription.canceled': subscriptionSchema,
    'credits.purchased': settledPurchaseSchema,
    'payment.failed': z.union([settledPurchaseSchema, renewalFailedSchema]),
  },
  collections: {
    subscriptions,
    credits,
    purchases,
  },
  lifecycles: [renewalLifecycle],
  pending: [pendingPurchases, pendingCancellations, pendingCharges],
  schemas: {
    Plan: planSchema,
    Subscription: subscriptionSchema,
    SubscriptionChanges: subscriptionChangesSchema,
    Credits: creditsSchema,
    Purchase: purchaseSchema,
    NewPurchase: newPurchaseSchema,
  },
})

/** Returns the state after a cancellation; nothing if that changes nothing. */
function afterCancellation(
  kind: PeriodKind,
  state: SubscriptionState,
  now: number,
): SubscriptionState | undefined {
  const { plan, subscription } = state
  if (plan === 'free' || subscription.status === 'canceling') return undefined
  const ending = periodOf(kind, subscription, now)
  if (subscription.status === 'past_due') return afterSubscriptionEnd(state, ending, now)
  return {
    plan,
    subscription: {
      ...subscription,
      status: 'canceling',
      ending,
      canceled_at: now,
    },
  }
}

/** Charges a change to a dearer plan, and the unpaid period of a paid one. @throws ApiError */
function chargeForChange(
  exchange: AuthenticatedExchange,
  { plan: before, subscription: { status } }: SubscriptionState,
  plan: PlanName,
): void {
  const isCharged =
    planOf(exchange.world, plan).price > planOf(exchange.world, before).price ||
    (status === 'past_due' && plan !== 'free')
  if (isCharged) chargeFor(exchange, 'upgrade')
}
