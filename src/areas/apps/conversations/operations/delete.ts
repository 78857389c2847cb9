import { deleted, deletedStatus } from '../../assumptions.ts'
import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { findConversation } from '../lookup.ts'
import { conversations, messages } from '../schemas.ts'

/** Deletes a conversation with its messages. The credits that they cost stay spent. */
export const deleteConversation = declareOperation({
  id: 'conversations.delete',
  method: 'DELETE',
  path: '/apps/{app_id}/conversations/{conversation_id}',
  title: 'Delete a conversation',
  scope: 'apps:write',
  statuses: deleted,
  handle(exchange, { params }) {
    const { id } = findConversation(exchange, params).conversation
    exchange.collection(conversations).delete(id)
    exchange.collection(messages).deleteChildren([id])
    return { status: deletedStatus(exchange) }
  },
})
