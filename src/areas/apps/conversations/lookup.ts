import { explainAbsence } from '../../../core/pipeline/absence.ts'
import { ApiError } from '../../../core/definitions/errors.ts'
import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { ownApp } from '../apps/lookup.ts'
import type { App } from '../apps/schemas.ts'
import { conversations, type Conversation } from './schemas/conversation.ts'
import { messages, type Message } from './schemas/message.ts'
import { quote } from '../../../core/definitions/quote.ts'

/** Returns the app and the conversation in a path. @throws ApiError 404 if one does not exist or is not the caller's. */
export function ownConversation(
  exchange: Exchange,
  params: Readonly<Record<string, string>>,
): { app: Readonly<App>; conversation: Readonly<Conversation> } {
  const app = ownApp(exchange, params['app_id']!)
  const id = params['conversation_id']!
  const conversation = exchange.collection(conversations).get(id)
  if (conversation?.app === app.id) return { app, conversation }
  throw new ApiError('not_found', `The app has no conversation with the id ${quote(id)}.`).because(
    explainAbsence(exchange, conversations, id, app.id),
  )
}

/** Returns the message in a path. @throws ApiError 404 if it, its conversation or its app does not exist or is not the caller's. */
export function ownMessage(exchange: Exchange, params: Readonly<Record<string, string>>): Readonly<Message> {
  const { conversation } = ownConversation(exchange, params)
  const id = params['message_id']!
  const message = exchange.collection(messages).get(id)
  if (message?.conversation === conversation.id) return message
  throw new ApiError('not_found', `The conversation has no message with the id ${quote(id)}.`).because(
    explainAbsence(exchange, messages, id, conversation.id),
  )
}
