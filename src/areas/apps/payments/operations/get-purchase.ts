import { declareGet } from '../../declare.ts'
import { findPurchase } from '../lookup.ts'
import { presentPurchase } from '../present.ts'
import { purchaseSchema } from '../schemas.ts'

export const getPurchase = declareGet({
  id: 'purchases.get',
  path: '/credits/purchases/{purchase_id}',
  title: 'Get a purchase of credits',
  scope: 'payments:read',
  result: purchaseSchema,
  read: (exchange, params) => presentPurchase(findPurchase(exchange, params)),
})
