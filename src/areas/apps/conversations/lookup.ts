import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { ownApp } from '../apps/lookup.ts'
import type { App } from '../apps/schemas.ts'
import { ownRecord } from '../own-record.ts'
import { conversations, type Conversation } from './schemas/conversation.ts'
import { messages, type Message } from './schemas/message.ts'

export function ownConversation(
  exchange: Exchange,
  params: Readonly<Record<string, string>>,
): { app: Readonly<App>; conversation: Readonly<Conversation> } {
  const app = ownApp(exchange, params['app_id']!)
  const parent = { noun: 'app', id: app.id }
  const conversation = ownRecord(exchange, conversations, params['conversation_id']!, 'conversation', parent)
  return { app, conversation }
}

export function ownMessage(exchange: Exchange, params: Readonly<Record<string, string>>): Readonly<Message> {
  const { conversation } = ownConversation(exchange, params)
  const parent = { noun: 'conversation', id: conversation.id }
  return ownRecord(exchange, messages, params['message_id']!, 'message', parent)
}
