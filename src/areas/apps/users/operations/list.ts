import { declareListRecords } from '../../declare.ts'
import { userKind } from '../present.ts'

export const listUsers = declareListRecords(userKind, {
  id: 'users.list',
  path: '/apps/{app_id}/users',
  title: "List an app's end users",
  scope: 'analytics:read',
})
