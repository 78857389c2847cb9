import type { Exchange } from '../../../core/pipeline/exchange.ts'
import type { App } from '../apps/schemas.ts'
import { credits } from '../payments/schemas/credits.ts'
import { users } from '../users/schemas.ts'
import { lowBalance, toConditionMet, toMessageSent } from './events.ts'
import { messages } from './schemas/message.ts'
import type { Conversation } from './schemas/conversation.ts'

export function emitMessageSent(
  exchange: Exchange,
  app: Readonly<App>,
  conversation: Readonly<Conversation>,
  question: string,
  answer: string,
): void {
  const user = conversation.user === null ? undefined : exchange.collection(users).get(conversation.user)
  const count = exchange.collection(messages).partsOf(conversation.id).size
  exchange.emit(
    'message.sent',
    app.id,
    toMessageSent({ app, conversation, user, count, question, answer, at: exchange.now }),
  )
  const balance = exchange.collection(credits).get(app.account)
  if (balance && balance.purchased - balance.spent === lowBalance)
    exchange.emit('condition.met', app.id, toConditionMet(app))
}
