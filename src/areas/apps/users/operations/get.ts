import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { findUser } from '../lookup.ts'
import { presentUser } from '../present.ts'
import { userSchema } from '../schemas.ts'

export const getUser = declareOperation({
  id: 'users.get',
  method: 'GET',
  path: '/apps/{app_id}/users/{user_id}',
  title: 'Get an end user',
  scope: 'analytics:read',
  result: userSchema,
  handle: (exchange, { params }) => ({ status: 200, body: presentUser(findUser(exchange, params)) }),
})
