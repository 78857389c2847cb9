import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { listQuery } from '../../../../core/pipeline/query.ts'
import { listOf, listReply } from '../../list-reply.ts'
import { findConversation } from '../lookup.ts'
import { presentMessage } from '../present.ts'
import { messages, messageSchema, roles } from '../schemas.ts'

export const listMessages = declareOperation({
  id: 'messages.list',
  method: 'GET',
  path: '/apps/{app_id}/conversations/{conversation_id}/messages',
  title: "List a conversation's messages",
  source: 'ours',
  scope: 'analytics:read',
  query: listQuery({ role: { description: 'Messages by this author.', values: roles } }),
  ...listOf(messageSchema),
  writes: false,
  handle(exchange, input) {
    const { conversation } = findConversation(exchange, input.params)
    const role = input.query.get('role')
    return listReply(exchange, input, {
      records: exchange.collection(messages).childrenOf(conversation.id),
      matches: role === null ? undefined : (message) => message.role === role,
      present: presentMessage,
    })
  },
})
