import { ApiError } from '../../../../core/contract/errors.ts'
import type { Exchange } from '../../../../core/pipeline/exchange.ts'
import type { DueWork } from '../../../../core/time/clock.ts'
import { newId } from '../../../../core/time/random.ts'
import { declareCreate } from '../../declare.ts'
import { paymentAssumptions } from '../assumptions.ts'
import { chargeFor, createSettlement, describeSettlement } from '../charge.ts'
import { presentPurchase } from '../present.ts'
import { newPurchaseSchema, purchases, purchaseSchema } from '../schemas.ts'

const delays = { '3s': 3_000, instant: 0, '1h': 3_600_000 }

function dueSettlement(exchange: Exchange, id: string, at: number): DueWork[] {
  const purchase = exchange.collection(purchases).get(id)
  return purchase?.status === 'pending' && purchase.settles_at === at ? [{ at, ...describeSettlement(purchase) }] : []
}

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
    const delay = delays[exchange.assume(paymentAssumptions, 'payments.settle')]
    const stored = exchange.collection(purchases)
    const purchase = stored.insert({
      ...body,
      id: newId(stored, world.random('purchase'), 'pur'),
      account: exchange.caller!.account.id,
      status: 'pending',
      created_at: now,
      settles_at: now + delay,
    })
    const settle = createSettlement(exchange, purchase.id, outcome === undefined && body.payment_method === 'pm_ok')
    if (delay > 0) world.schedule(now + delay, settle, (at) => dueSettlement(exchange, purchase.id, at))
    else settle(now)
    return presentPurchase(stored.get(purchase.id) ?? purchase)
  },
})
