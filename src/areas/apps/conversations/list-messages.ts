import { defineOperation } from '../../../core/operation.ts'
import { listReply } from '../list.ts'
import { listSchema } from '../list-schema.ts'
import { ownConversation } from './own.ts'
import { presentMessage } from './present.ts'
import { messages, messageSchema } from './schemas.ts'

/** What was said in a conversation, the latest first. */
export const listMessages = defineOperation({
  id: 'messages.list',
  method: 'GET',
  path: '/apps/{app_id}/conversations/{conversation_id}/messages',
  title: "List a conversation's messages",
  source: 'ours',
  scope: 'analytics:read',
  result: listSchema(messageSchema),
  writes: false,
  handle: (exchange, { params, query }) => listReply(exchange, exchange.collection(messages).partsOf(ownConversation(exchange, params).conversation.id), query, presentMessage),
})
