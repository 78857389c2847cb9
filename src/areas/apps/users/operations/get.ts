import { declareGetRecord } from '../../declare.ts'
import { userKind } from '../present.ts'

export const getUser = declareGetRecord(userKind, {
  id: 'users.get',
  path: '/apps/{app_id}/users/{user_id}',
  title: 'Get an end user',
  scope: 'analytics:read',
})
