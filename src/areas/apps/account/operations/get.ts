import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { presentAccount } from '../present.ts'
import { ownAccountSchema } from '../schemas.ts'

export const getAccount = declareOperation({
  id: 'account.get',
  method: 'GET',
  path: '/account',
  title: 'Get the account',
  source: 'ours',
  scope: 'any',
  result: ownAccountSchema,
  writes: false,
  handle: (exchange) => ({ status: 200, body: presentAccount(exchange.caller!, exchange.world.scopes) }),
})
