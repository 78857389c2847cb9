import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { findMessage } from '../lookup.ts'
import { presentMessage } from '../present.ts'
import { messageSchema } from '../schemas.ts'

export const getMessage = declareOperation({
  id: 'messages.get',
  method: 'GET',
  path: '/apps/{app_id}/conversations/{conversation_id}/messages/{message_id}',
  title: 'Get a message',
  scope: 'analytics:read',
  result: messageSchema,
  handle: (exchange, { params }) => ({ status: 200, body: presentMessage(findMessage(exchange, params)) }),
})
