import { declareGet } from '../../declare.ts'
import { presentCredits } from '../present.ts'
import { credits, creditsSchema } from '../schemas.ts'

export const getCredits = declareGet({
  id: 'credits.get',
  path: '/credits',
  title: 'Get the balance of credits',
  scope: 'payments:read',
  result: creditsSchema,
  read: (exchange) => presentCredits(exchange.collection(credits).get(exchange.caller!.account.id)),
})
