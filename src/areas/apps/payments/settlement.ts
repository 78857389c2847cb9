import { type Exchange, withoutRequest } from '../../../core/pipeline/exchange.ts'
import { emitForAccount, toPurchaseEvent } from './events.ts'
import type { DueNote } from '../../../core/time/clock.ts'
import { definePendingWork } from '../../../core/world/pending.ts'
import { credits, type Purchase, purchases } from './schemas.ts'

/**
 * Returns a function that settles a pending purchase at a time in milliseconds since 1970. It adds the credits first, so that nothing reads
 * a settled purchase without its credits. @param isCharged whether the payment succeeds; by default, the payment method decides.
 */
export function createSettlement(
  exchange: Pick<Exchange, 'world' | 'collection'>,
  id: string,
  isCharged?: boolean,
): (at: number) => void {
  const { world } = exchange
  const stored = exchange.collection(purchases)
  const balances = exchange.collection(credits)
  return (at) => {
    const purchase = stored.get(id)
    if (purchase?.status !== 'pending' || purchase.settles_at !== at) return
    const { account, amount, payment_method } = purchase
    const succeeds = isCharged ?? payment_method === 'pm_ok'
    if (succeeds) {
      const purchased = (balances.get(account)?.purchased ?? 0) + amount
      if (!balances.update(account, { purchased })) balances.create({ account, purchased, spent: 0 })
    }
    const settled = stored.update(id, {
      status: succeeds ? 'succeeded' : 'failed',
      settles_at: undefined,
      settled_at: at,
    })
    const type = succeeds ? 'credits.purchased' : 'payment.failed'
    emitForAccount(world, type, account, at, toPurchaseEvent(settled!, balances.get(account)))
  }
}

export const pendingPurchases = definePendingWork({
  collection: purchases,
  isWaiting: ({ status }) => status === 'pending',
  dueAt: ({ status, settles_at }) => (status === 'pending' ? settles_at : undefined),
  finish: (world, { id }, at) => createSettlement(withoutRequest(world), id)(at),
  describe: describeSettlement,
})

export function describeSettlement({ id, amount }: Readonly<Purchase>): DueNote {
  return {
    kind: 'settlement',
    title: `The purchase ${id} of ${amount} credits settles`,
    subject: { collection: 'purchases', id },
  }
}
