import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { listQuery } from '../../../../core/pipeline/query.ts'
import { findApp } from '../../apps/lookup.ts'
import { listOf, listReply } from '../../list-reply.ts'
import { presentUser } from '../present.ts'
import { users, userSchema } from '../schemas.ts'

export const listUsers = declareOperation({
  id: 'users.list',
  method: 'GET',
  path: '/apps/{app_id}/users',
  title: "List an app's end users",
  scope: 'analytics:read',
  query: listQuery(),
  ...listOf(userSchema),
  handle: (exchange, input) =>
    listReply(exchange, input, {
      records: exchange.collection(users).childrenOf(findApp(exchange, input.params['app_id']!).id),
      present: presentUser,
    }),
})
