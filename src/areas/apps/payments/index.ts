import { cancelSubscription } from './operations/cancel-subscription.ts'
import { createPurchase } from './operations/create-purchase.ts'
import { getCredits } from './operations/get-credits.ts'
import { getPlan } from './operations/get-plan.ts'
import { getPurchase } from './operations/get-purchase.ts'
import { getSubscription } from './operations/get-subscription.ts'
import { listPlans } from './operations/list-plans.ts'
import { listPurchases } from './operations/list-purchases.ts'
import { updateSubscription } from './operations/update-subscription.ts'

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
