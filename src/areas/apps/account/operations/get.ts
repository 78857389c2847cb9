import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { presentAccount } from '../present.ts'
import { ownAccountSchema } from '../schemas.ts'

export const getAccount = declareOperation({
  id: 'account.get',
  method: 'GET',
  path: '/account',
  title: 'Get the account',
  scope: 'any',
  result: ownAccountSchema,
  handle: (exchange) => ({ status: 200, body: presentAccount(exchange.caller!, exchange.world.scopes) }),
})
