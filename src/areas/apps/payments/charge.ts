import { accounts } from '../../../core/accounts/accounts.ts'
import { ApiError } from '../../../core/contract/errors.ts'
import type { ChargeKind, ChargeOutcome } from '../../../core/world/effective-settings.ts'
import type { Exchange } from '../../../core/pipeline/exchange.ts'
import type { CoreWorld } from '../../../core/world/world.ts'

export function chargeFor(exchange: Exchange, kind: ChargeKind): Exclude<ChargeOutcome, 'declined'> | undefined {
  for (const effect of exchange.effects.for('charge')) {
    const outcome = effect.charge({ kind, account: { ...exchange.caller!.account, plan: exchange.caller!.plan } })
    if (!outcome) continue
    exchange.fire(effect)
    if (outcome !== 'declined') return outcome
    throw new ApiError('payment_declined').because(`The ${kind} was declined, by the scenario ${effect.scenario}`)
  }
  return undefined
}

export function isDeclined(world: CoreWorld, kind: ChargeKind, account: string): boolean {
  const owner = world.collection(accounts).get(account)
  return (
    owner !== undefined &&
    world.effectiveSettings.effects.some((effect) => effect.charge?.({ kind, account: owner }) !== undefined)
  )
}

export function canFail(world: CoreWorld): boolean {
  return world.effectiveSettings.effects.some((effect) => effect.charge !== undefined)
}
