import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { presentCredits } from '../present.ts'
import { credits, creditsSchema } from '../schemas.ts'

export const getCredits = declareOperation({
  id: 'credits.get',
  method: 'GET',
  path: '/credits',
  title: 'Get the balance of credits',
  scope: 'payments:read',
  result: creditsSchema,
  handle: (exchange) => ({
    status: 200,
    body: presentCredits(exchange.collection(credits).get(exchange.caller!.account.id)),
  }),
})
