import { declareDelete } from '../../declare.ts'
import { findConversation } from '../lookup.ts'
import { conversations, messages } from '../schemas.ts'

/** Deletes a conversation with its messages. The credits that they cost stay spent. */
export const deleteConversation = declareDelete({
  id: 'conversations.delete',
  path: '/apps/{app_id}/conversations/{conversation_id}',
  title: 'Delete a conversation',
  scope: 'apps:write',
  remove(exchange, params) {
    const { id } = findConversation(exchange, params).conversation
    exchange.collection(conversations).delete(id)
    exchange.collection(messages).deleteChildren([id])
  },
})
