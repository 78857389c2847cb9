import type { Exchange } from '../../../core/exchange.ts'
import { toPurchaseEvent } from './events.ts'
import { credits, purchases } from './schemas.ts'

/**
 * Makes what settles a purchase that is pending, at a time in milliseconds since 1970. The credits are there before the
 * purchase says that it succeeded, so that nobody reads the one without the other. @param isCharged whether the payment succeeds.
 */
export function createSettlement(exchange: Exchange, id: string, isCharged: boolean): (at: number) => Promise<void> {
  const { world } = exchange
  const stored = exchange.collection(purchases)
  const balances = exchange.collection(credits)
  return async (at) => {
    const purchase = stored.get(id)
    if (purchase?.status !== 'pending') return
    const { account, amount } = purchase
    if (isCharged) {
      const purchased = (balances.get(account)?.purchased ?? 0) + amount
      if (!(await balances.update(account, { purchased }))) await balances.create({ account, purchased, spent: 0 })
    }
    const settled = await stored.update(id, { status: isCharged ? 'succeeded' : 'failed', settled_at: at })
    world.emit({ type: isCharged ? 'credits.purchased' : 'payment.failed', at, account, app: null, data: toPurchaseEvent(settled!, balances.get(account)) })
  }
}
