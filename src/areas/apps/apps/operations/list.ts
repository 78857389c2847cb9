import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { listQuery } from '../../../../core/pipeline/query.ts'
import { listOf, listReply } from '../../list-reply.ts'
import { presentApp } from '../present.ts'
import { apps, appSchema } from '../schemas.ts'

export const listApps = declareOperation({
  id: 'apps.list',
  method: 'GET',
  path: '/apps',
  title: 'List apps',
  source: 'stated',
  scope: 'apps:read',
  query: listQuery(),
  ...listOf(appSchema),
  handle: (exchange, input) =>
    listReply(exchange, input, {
      records: exchange.collection(apps).ownedBy(exchange.caller!.account.id),
      present: presentApp,
    }),
})
