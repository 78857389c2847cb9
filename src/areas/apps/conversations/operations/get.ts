import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { findConversation } from '../lookup.ts'
import { conversationPresenter } from '../present.ts'
import { conversationSchema } from '../schemas.ts'

export const getConversation = declareOperation({
  id: 'conversations.get',
  method: 'GET',
  path: '/apps/{app_id}/conversations/{conversation_id}',
  title: 'Get a conversation',
  scope: 'analytics:read',
  result: conversationSchema,
  handle: (exchange, { params }) => ({
    status: 200,
    body: conversationPresenter(exchange)(findConversation(exchange, params).conversation),
  }),
})
