import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { findAccountRecord, findApp } from '../apps/lookup.ts'
import type { App } from '../apps/schemas.ts'
import { type Conversation, conversations, type Message, messages } from './schemas.ts'

export function findConversation(
  exchange: Exchange,
  params: Readonly<Record<string, string>>,
): { app: Readonly<App>; conversation: Readonly<Conversation> } {
  const app = findApp(exchange, params)
  const parent = { noun: 'app', id: app.id }
  const conversation = findAccountRecord(exchange, conversations, params['conversation_id']!, 'conversation', parent)
  return { app, conversation }
}

export function findMessage(exchange: Exchange, params: Readonly<Record<string, string>>): Readonly<Message> {
  const { conversation } = findConversation(exchange, params)
  const parent = { noun: 'conversation', id: conversation.id }
  return findAccountRecord(exchange, messages, params['message_id']!, 'message', parent)
}
