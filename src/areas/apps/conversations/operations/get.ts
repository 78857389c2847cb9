import { declareGetRecord } from '../../declare.ts'
import { conversationKind } from '../present.ts'

export const getConversation = declareGetRecord(conversationKind, {
  id: 'conversations.get',
  path: '/apps/{app_id}/conversations/{conversation_id}',
  title: 'Get a conversation',
  scope: 'analytics:read',
})
