import { declareListRecords, fieldFilter } from '../../declare.ts'
import { purchaseKind } from '../present.ts'
import { purchaseStatuses } from '../schemas.ts'

export const listPurchases = declareListRecords(purchaseKind, {
  id: 'purchases.list',
  path: '/credits/purchases',
  title: 'List purchases of credits',
  scope: 'payments:read',
  filters: { status: { description: 'Purchases with this status.', values: purchaseStatuses } },
  matches: fieldFilter('status'),
})
