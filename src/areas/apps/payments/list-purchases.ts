import { defineOperation } from '../../../core/operation.ts'
import { listReply } from '../list.ts'
import { listSchema } from '../list-schema.ts'
import { presentPurchase } from './present.ts'
import { purchases, purchaseSchema } from './schemas.ts'

export const listPurchases = defineOperation({
  id: 'purchases.list',
  method: 'GET',
  path: '/credits/purchases',
  title: 'List purchases of credits',
  source: 'ours',
  scope: 'payments:write',
  result: listSchema(purchaseSchema),
  writes: false,
  handle: (exchange, { query }) =>
    listReply(exchange, exchange.collection(purchases).ownedBy(exchange.caller!.account.id), query, presentPurchase),
})
