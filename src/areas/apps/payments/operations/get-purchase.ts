import { explainAbsence } from '../../../../core/pipeline/absence.ts'
import { ApiError } from '../../../../core/definitions/errors.ts'
import { defineOperation } from '../../../../core/pipeline/operation.ts'
import { presentPurchase } from '../present.ts'
import { purchases, purchaseSchema } from '../schemas.ts'
import { quote } from '../../../../core/definitions/quote.ts'

export const getPurchase = defineOperation({
  id: 'purchases.get',
  method: 'GET',
  path: '/credits/purchases/{purchase_id}',
  title: 'Get a purchase of credits',
  source: 'ours',
  scope: 'payments:read',
  result: purchaseSchema,
  writes: false,
  handle(exchange, { params }) {
    const id = params['purchase_id']!
    const purchase = exchange.collection(purchases).get(id)
    if (purchase?.account !== exchange.caller!.account.id)
      throw new ApiError('not_found', `There is no purchase with the id ${quote(id)}.`).because(
        explainAbsence(exchange, purchases, id),
      )
    return { status: 200, body: presentPurchase(purchase) }
  },
})
