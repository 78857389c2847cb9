import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { toPurchaseEvent } from './events.ts'
import type { DueNote } from '../../../core/time/due-work.ts'
import { definePendingWork } from '../../../core/world/pending.ts'
import { unasked } from '../../../core/pipeline/unasked.ts'
import { credits } from './schemas/credits.ts'
import { purchases, type Purchase } from './schemas/purchase.ts'

/**
 * Makes what settles a purchase that is pending, at a time in milliseconds since 1970. The credits are there before the
 * purchase says that it succeeded, so that nobody reads the one without the other. @param isCharged whether the payment succeeds; as its method says, without this.
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
    world.emit({
      type: succeeds ? 'credits.purchased' : 'payment.failed',
      at,
      account,
      app: null,
      data: toPurchaseEvent(settled!, balances.get(account)),
    })
  }
}

/** Purchases that were given as pending settle too. */
export const pendingPurchases = definePendingWork({
  collection: purchases,
  isWaiting: ({ status }) => status === 'pending',
  dueAt: ({ status, settles_at }) => (status === 'pending' ? settles_at : undefined),
  finish: (world, { id }, at) => createSettlement(unasked(world), id)(at),
  describe: describeSettlement,
})

/** What it is that settles, for people. */
export function describeSettlement({ id, amount }: Readonly<Purchase>): DueNote {
  return {
    kind: 'settlement',
    title: `The purchase ${id} of ${amount} credits settles`,
    subject: { collection: 'purchases', id },
  }
}
