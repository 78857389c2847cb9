import { accounts } from '../../../core/accounts/accounts.ts'
import { ApiError } from '../../../core/contract/errors.ts'
import type { AuthenticatedExchange, StoreSource } from '../../../core/pipeline/operation.ts'
import type { ChargeKind, ChargeOutcome } from '../../../core/world/effective-settings.ts'
import { definePendingWork, type PendingWork } from '../../../core/world/pending.ts'
import type { LiveWorld } from '../../../core/world/live-world.ts'
import { emitForAccount, toPurchaseEvent } from './events.ts'
import { credits, type Purchase, purchases } from './schemas.ts'

export function chargeFor(
  exchange: AuthenticatedExchange,
  kind: ChargeKind,
): Exclude<ChargeOutcome, 'declined'> | undefined {
  for (const effect of exchange.effects.for('charge')) {
    const outcome = effect.charge({
      kind,
      account: {
        ...exchange.caller.account,
        plan: exchange.caller.plan,
      },
    })
    if (!outcome) continue
    exchange.fire(effect)
    if (outcome !== 'declined') return outcome
    throw new ApiError('payment_declined').because(
      `The ${kind} was declined, by the scenario ${effect.scenario}`,
    )
  }
  return undefined
}

export function isDeclined(world: LiveWorld, kind: ChargeKind, account: string): boolean {
  const owner = world.collection(accounts).get(account)
  return (
    owner !== undefined &&
    world.effectiveSettings.effects.some(
      (effect) =>
        effect.charge?.({
          kind,
          account: owner,
        }) !== undefined,
    )
  )
}

export function canFail(world: LiveWorld): boolean {
  return world.effectiveSettings.effects.some((effect) => effect.charge !== undefined)
}

/**
 * Adds the credits first: nothing reads a settled purchase without them. @param isCharged else the
 * method decides.
 */
export function createSettlement(
  exchange: StoreSource,
  isCharged?: boolean,
): PendingWork<Purchase>['finish'] {
  const stored = exchange.collection(purchases)
  const balances = exchange.collection(credits)
  return (world, purchase, at) => {
    const { account, amount, payment_method } = purchase
    const succeeds = isCharged ?? payment_method === 'pm_ok'
    if (succeeds) {
      const purchased = (balances.get(account)?.purchased ?? 0) + amount
      if (!balances.update(account, { purchased }))
        balances.create({
          account,
          purchased,
          spent: 0,
        })
    }
    const settled = stored.amend(purchase, {
      status: succeeds ? 'succeeded' : 'failed',
      settles_at: undefined,
      settled_at: at,
    })
    const type = succeeds ? 'credits.purchased' : 'payment.failed'
    const data = toPurchaseEvent(settled, balances.get(account))
    emitForAccount(world, {
      type,
      account,
      at,
      data,
    })
  }
}

export const pendingPurchases = definePendingWork({
  collection: purchases,
  isWaiting: ({ status }) => status === 'pending',
  dueAt: ({ status, settles_at }) => {
    if (status === 'pending') return settles_at
    return undefined
  },
  finish: (world, purchase, at) => createSettlement(world)(world, purchase, at),
  describe: ({ id, amount }) => ({
    kind: 'settlement',
    title: `The purchase ${id} of ${amount} credits settles`,
    subject: {
      collection: purchases.name,
      id,
    },
  }),
})
