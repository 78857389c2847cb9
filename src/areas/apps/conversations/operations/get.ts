import { declareGet } from '../../declare.ts'
import { findConversation } from '../lookup.ts'
import { conversationPresenter } from '../present.ts'
import { conversationSchema } from '../schemas.ts'

export const getConversation = declareGet({
  id: 'conversations.get',
  path: '/apps/{app_id}/conversations/{conversation_id}',
  title: 'Get a conversation',
  scope: 'analytics:read',
  result: conversationSchema,
  read: (exchange, params) => conversationPresenter(exchange)(findConversation(exchange, params).conversation),
})
