import { findAccountRecord, findApp } from '../../apps/lookup.ts'
import { declareGet } from '../../declare.ts'
import { presentUser } from '../present.ts'
import { users, userSchema } from '../schemas.ts'

export const getUser = declareGet({
  id: 'users.get',
  path: '/apps/{app_id}/users/{user_id}',
  title: 'Get an end user',
  scope: 'analytics:read',
  result: userSchema,
  read(exchange, params) {
    const { id } = findApp(exchange, params)
    return presentUser(findAccountRecord(exchange, users, params['user_id']!, 'user', { noun: 'app', id }))
  },
})
