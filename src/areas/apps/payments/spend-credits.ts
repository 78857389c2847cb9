import { ApiError } from '../../../core/definitions/errors.ts'
import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { conversationAssumptions } from '../conversations/assumptions.ts'
import { credits } from './schemas/credits.ts'

export function spendCredits(exchange: Exchange, amount: number): void {
  const { id } = exchange.caller!.account
  const stored = exchange.collection(credits)
  const balance = stored.get(id)
  if (!balance || balance.purchased - balance.spent < amount)
    throw new ApiError(
      'insufficient_credits',
      undefined,
      Number(exchange.assume(conversationAssumptions, 'messages.no-credits')),
    )
  stored.update(id, { spent: balance.spent + amount })
}
