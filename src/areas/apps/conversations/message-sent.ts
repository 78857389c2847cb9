import type { Exchange } from '../../../core/exchange.ts'
import type { App } from '../apps/schemas.ts'
import { credits } from '../payments/schemas.ts'
import { presentUser } from '../users/present.ts'
import { users } from '../users/schemas.ts'
import { messages, type Conversation } from './schemas.ts'

/** The balance at which the event `condition.met` warns, in credits. */
const lowBalance = 10

/** Tells of a message and its answer, and of credits that run out. */
export function emitMessageSent(exchange: Exchange, app: Readonly<App>, { id, user, platform, created_at }: Readonly<Conversation>, last_message: string, ai_response: string): void {
  const known = user === null ? undefined : exchange.collection(users).get(user)
  exchange.emit('message.sent', app.id, {
    app_id: app.id,
    app_name: app.name,
    user: known ? presentUser(known) : null,
    conversation: { id, message_count: exchange.collection(messages).partsOf(id).size, last_message, ai_response },
    metadata: { session_duration: Math.max(0, Math.round((exchange.now - created_at) / 1_000)), platform },
  })
  const balance = exchange.collection(credits).get(app.account)
  if (balance && balance.purchased - balance.spent === lowBalance)
    exchange.emit('condition.met', app.id, { app_id: app.id, app_name: app.name, condition: { name: 'credits_low', threshold: lowBalance, balance: lowBalance } })
}
