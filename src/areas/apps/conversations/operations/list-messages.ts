import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { listQuery } from '../../../../core/pipeline/query.ts'
import { fieldFilter, listOf, listReply } from '../../list-reply.ts'
import { findConversation } from '../lookup.ts'
import { presentMessage } from '../present.ts'
import { messages, messageSchema, roles } from '../schemas.ts'

export const listMessages = declareOperation({
  id: 'messages.list',
  method: 'GET',
  path: '/apps/{app_id}/conversations/{conversation_id}/messages',
  title: "List a conversation's messages",
  scope: 'analytics:read',
  query: listQuery({ role: { description: 'Messages by this author.', values: roles } }),
  ...listOf(messageSchema),
  handle(exchange, input) {
    const { conversation } = findConversation(exchange, input.params)
    return listReply(exchange, input, {
      records: exchange.collection(messages).childrenOf(conversation.id),
      matches: fieldFilter(input.query, 'role', 'role'),
      present: presentMessage,
    })
  },
})
