import { declareDeleteRecord } from '../../declare.ts'
import { conversationKind } from '../present.ts'
import { messages } from '../schemas.ts'

/** Deletes a conversation with its messages. The credits that they cost stay spent. */
export const deleteConversation = declareDeleteRecord(conversationKind, {
  id: 'conversations.delete',
  path: '/apps/{app_id}/conversations/{conversation_id}',
  title: 'Delete a conversation',
  scope: 'apps:write',
  deleted: (exchange, { id }) => exchange.collection(messages).deleteChildren([id]),
})
