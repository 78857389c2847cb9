import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { findPurchase } from '../lookup.ts'
import { presentPurchase } from '../present.ts'
import { purchaseSchema } from '../schemas.ts'

export const getPurchase = declareOperation({
  id: 'purchases.get',
  method: 'GET',
  path: '/credits/purchases/{purchase_id}',
  title: 'Get a purchase of credits',
  scope: 'payments:read',
  result: purchaseSchema,
  handle: (exchange, { params }) => ({ status: 200, body: presentPurchase(findPurchase(exchange, params)) }),
})
