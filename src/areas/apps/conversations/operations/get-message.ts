import { declareGetRecord } from '../../declare.ts'
import { messageKind } from '../present.ts'

export const getMessage = declareGetRecord(messageKind, {
  id: 'messages.get',
  path: '/apps/{app_id}/conversations/{conversation_id}/messages/{message_id}',
  title: 'Get a message',
  scope: 'analytics:read',
})
