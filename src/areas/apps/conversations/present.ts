import { toIso, toIsoOrNull } from '../../../core/time/time-text.ts'
import type { StoreSource } from '../../../core/pipeline/operation.ts'
import { appKind } from '../apps/present.ts'
import type { Kind } from '../declare.ts'
import {
  type Conversation,
  conversations,
  conversationSchema,
  type Message,
  messages,
  messageSchema,
} from './schemas.ts'

export function conversationPresenter(exchange: StoreSource) {
  const stored = exchange.collection(messages)
  return ({ id, app, user, platform, created_at, ended_at }: Readonly<Conversation>) => {
    const own = stored.childrenOf(id)
    const last = own.newest(1)[0]?.created_at
    return {
      id,
      app_id: app,
      user_id: user,
      status: ended_at === undefined ? 'active' : 'ended',
      platform,
      message_count: own.size,
      created_at: toIso(created_at),
      last_message_at: toIsoOrNull(last),
      ended_at: toIsoOrNull(ended_at),
    }
  }
}

export function presentMessage({
  id,
  conversation,
  role,
  content,
  reply_to,
  credits,
  created_at,
}: Readonly<Message>) {
  return {
    id,
    conversation_id: conversation,
    role,
    content,
    reply_to: reply_to ?? null,
    credits,
    created_at: toIso(created_at),
  }
}

export const conversationKind: Kind<Conversation> = {
  noun: 'conversation',
  collection: conversations,
  parent: appKind,
  schema: conversationSchema,
  presenterFor: conversationPresenter,
}

export const messageKind: Kind<Message> = {
  noun: 'message',
  collection: messages,
  parent: conversationKind,
  schema: messageSchema,
  present: presentMessage,
}
