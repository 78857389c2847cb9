import { ApiError } from '../../../../core/definitions/errors.ts'
import { defineOperation } from '../../../../core/pipeline/operation.ts'
import { quote } from '../../../../core/definitions/quote.ts'
import { ownApp } from '../../apps/lookup.ts'
import { presentUser } from '../present.ts'
import { users, userSchema } from '../schemas.ts'

export const getUser = defineOperation({
  id: 'users.get',
  method: 'GET',
  path: '/apps/{app_id}/users/{user_id}',
  title: 'Get an end user',
  source: 'ours',
  scope: 'analytics:read',
  result: userSchema,
  writes: false,
  handle(exchange, { params }) {
    const app = ownApp(exchange, params['app_id']!)
    const id = params['user_id']!
    const user = exchange.collection(users).get(id)
    if (user?.app !== app.id) throw new ApiError('not_found', `The app has no user with the id ${quote(id)}.`)
    return { status: 200, body: presentUser(user) }
  },
})
