import { findApp } from '../../apps/lookup.ts'
import { declareList } from '../../declare.ts'
import { presentUser } from '../present.ts'
import { users, userSchema } from '../schemas.ts'

export const listUsers = declareList({
  id: 'users.list',
  path: '/apps/{app_id}/users',
  title: "List an app's end users",
  scope: 'analytics:read',
  item: userSchema,
  records: (exchange, params) => exchange.collection(users).childrenOf(findApp(exchange, params).id),
  present: presentUser,
})
