import { declareGet } from '../../declare.ts'
import { findMessage } from '../lookup.ts'
import { presentMessage } from '../present.ts'
import { messageSchema } from '../schemas.ts'

export const getMessage = declareGet({
  id: 'messages.get',
  path: '/apps/{app_id}/conversations/{conversation_id}/messages/{message_id}',
  title: 'Get a message',
  scope: 'analytics:read',
  result: messageSchema,
  read: (exchange, params) => presentMessage(findMessage(exchange, params)),
})
