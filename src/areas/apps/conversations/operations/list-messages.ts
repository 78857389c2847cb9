import { declareList, fieldFilter } from '../../declare.ts'
import { findConversation } from '../lookup.ts'
import { presentMessage } from '../present.ts'
import { messages, messageSchema, roles } from '../schemas.ts'

export const listMessages = declareList({
  id: 'messages.list',
  path: '/apps/{app_id}/conversations/{conversation_id}/messages',
  title: "List a conversation's messages",
  scope: 'analytics:read',
  item: messageSchema,
  filters: { role: { description: 'Messages by this author.', values: roles } },
  records: (exchange, params) =>
    exchange.collection(messages).childrenOf(findConversation(exchange, params).conversation.id),
  matches: fieldFilter('role'),
  present: presentMessage,
})
