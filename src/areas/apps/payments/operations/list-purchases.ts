import { declareList, fieldFilter } from '../../declare.ts'
import { presentPurchase } from '../present.ts'
import { purchases, purchaseSchema, purchaseStatuses } from '../schemas.ts'

export const listPurchases = declareList({
  id: 'purchases.list',
  path: '/credits/purchases',
  title: 'List purchases of credits',
  scope: 'payments:read',
  item: purchaseSchema,
  filters: { status: { description: 'Purchases with this status.', values: purchaseStatuses } },
  records: (exchange) => exchange.collection(purchases).ownedBy(exchange.caller!.account.id),
  matches: fieldFilter('status'),
  present: presentPurchase,
})
