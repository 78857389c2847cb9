import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { listQuery } from '../../../../core/pipeline/query.ts'
import { listOf, listReply } from '../../list-reply.ts'
import { presentPurchase } from '../present.ts'
import { purchases, purchaseSchema, purchaseStatuses } from '../schemas.ts'

export const listPurchases = declareOperation({
  id: 'purchases.list',
  method: 'GET',
  path: '/credits/purchases',
  title: 'List purchases of credits',
  source: 'ours',
  scope: 'payments:read',
  query: listQuery({ status: { description: 'Purchases with this status.', values: purchaseStatuses } }),
  ...listOf(purchaseSchema),
  writes: false,
  handle(exchange, input) {
    const status = input.query.get('status')
    return listReply(exchange, input, {
      records: exchange.collection(purchases).ownedBy(exchange.caller!.account.id),
      matches: status === null ? undefined : (purchase) => purchase.status === status,
      present: presentPurchase,
    })
  },
})
