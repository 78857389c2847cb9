import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { listQuery } from '../../../../core/pipeline/query.ts'
import { fieldFilter, listOf, listReply } from '../../list-reply.ts'
import { presentPurchase } from '../present.ts'
import { purchases, purchaseSchema, purchaseStatuses } from '../schemas.ts'

export const listPurchases = declareOperation({
  id: 'purchases.list',
  method: 'GET',
  path: '/credits/purchases',
  title: 'List purchases of credits',
  scope: 'payments:read',
  query: listQuery({ status: { description: 'Purchases with this status.', values: purchaseStatuses } }),
  ...listOf(purchaseSchema),
  handle: (exchange, input) =>
    listReply(exchange, input, {
      records: exchange.collection(purchases).ownedBy(exchange.caller!.account.id),
      matches: fieldFilter(input.query, 'status', 'status'),
      present: presentPurchase,
    }),
})
