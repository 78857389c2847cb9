import * as z from 'zod/mini'
import { defineResource } from '../declare.ts'
import { pendingCancellations, pendingCharges, renewalLifecycle } from './renewal.ts'
import {
  credits,
  creditsSchema,
  newPurchaseSchema,
  planSchema,
  purchases,
  purchaseSchema,
  renewalFailedSchema,
  settledPurchaseSchema,
  subscriptionChangesSchema,
  subscriptions,
  subscriptionSchema,
} from './schemas.ts'
import { pendingPurchases } from './charge.ts'
import { cancelSubscription } from './operations/cancel-subscription.ts'
import { createPurchase } from './operations/create-purchase.ts'
import { getCredits } from './operations/get-credits.ts'
import { getPlan } from './operations/get-plan.ts'
import { getPurchase } from './operations/get-purchase.ts'
import { getSubscription } from './operations/get-subscription.ts'
import { listPlans } from './operations/list-plans.ts'
import { listPurchases } from './operations/list-purchases.ts'
import { updateSubscription } from './operations/update-subscription.ts'

export const paymentResource = defineResource({
  operations: [
    listPlans,
    getPlan,
    getSubscription,
    updateSubscription,
    cancelSubscription,
    getCredits,
    listPurchases,
    createPurchase,
    getPurchase,
  ],
  eventSchemas: {
    'subscription.updated': subscriptionSchema,
    'subscription.canceled': subscriptionSchema,
    'credits.purchased': settledPurchaseSchema,
    'payment.failed': z.union([settledPurchaseSchema, renewalFailedSchema]),
  },
  collections: { subscriptions, credits, purchases },
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
