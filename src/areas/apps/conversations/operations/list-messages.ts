import { declareListRecords, fieldFilter } from '../../declare.ts'
import { messageKind } from '../present.ts'
import { roles } from '../schemas.ts'

export const listMessages = declareListRecords(messageKind, {
  id: 'messages.list',
  path: '/apps/{app_id}/conversations/{conversation_id}/messages',
  title: "List a conversation's messages",
  scope: 'analytics:read',
  filters: { role: { description: 'Messages by this author.', values: roles } },
  matches: fieldFilter('role'),
})
