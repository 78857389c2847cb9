import { ApiError } from '../../../../core/contract/errors.ts'
import { awaitRecord } from '../../../../core/world/pending.ts'
import { declareCreate, insertRecord } from '../../declare.ts'
import { appAssumptions } from '../../assumptions.ts'
import { chargeFor, createSettlement, pendingPurchases } from '../charge.ts'
import { presentPurchase, purchaseKind } from '../present.ts'
import { newPurchaseSchema, purchases, purchaseSchema } from '../schemas.ts'

const delays = { '3s': 3_000, instant: 0, '1h': 3_600_000 }

export const createPurchase = declareCreate({
  id: 'purchases.create',
  path: '/credits/purchases',
  title: 'Buy credits',
  scope: 'payments:write',
  body: newPurchaseSchema,
  example: { amount: 1_000, payment_method: 'pm_ok' },
  result: purchaseSchema,
  errors: () => ['payment_declined'],
  create(exchange, { body }) {
    if (body.payment_method === 'pm_declined')
      throw new ApiError('payment_declined').because('The payment method pm_declined is always declined')
    const outcome = chargeFor(exchange, 'purchase')
    const { world, now } = exchange
    const delay = delays[exchange.assume(appAssumptions, 'payments.settle')]
    const stored = exchange.collection(purchases)
    const purchase = insertRecord(exchange, purchaseKind, { ...body, status: 'pending', settles_at: now + delay })
    const finish = createSettlement(exchange, outcome === undefined && body.payment_method === 'pm_ok')
    if (delay > 0) awaitRecord(world, { ...pendingPurchases, finish }, purchase, stored)
    else finish(world, purchase, now)
    return presentPurchase(stored.get(purchase.id) ?? purchase)
  },
})
