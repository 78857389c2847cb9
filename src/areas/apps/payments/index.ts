import { cancelSubscription } from './cancel-subscription.ts'
import { createPurchase } from './create-purchase.ts'
import { getCredits } from './get-credits.ts'
import { getPlan } from './get-plan.ts'
import { getPurchase } from './get-purchase.ts'
import { getSubscription } from './get-subscription.ts'
import { listPlans } from './list-plans.ts'
import { listPurchases } from './list-purchases.ts'
import { updateSubscription } from './update-subscription.ts'

/** What can be done with plans, subscriptions and credits. */
export const paymentOperations = [
  listPlans,
  getPlan,
  getSubscription,
  updateSubscription,
  cancelSubscription,
  getCredits,
  listPurchases,
  createPurchase,
  getPurchase,
]
