import { declareGetRecord } from '../../declare.ts'
import { purchaseKind } from '../present.ts'

export const getPurchase = declareGetRecord(purchaseKind, {
  id: 'purchases.get',
  path: '/credits/purchases/{purchase_id}',
  title: 'Get a purchase of credits',
  scope: 'payments:read',
})
