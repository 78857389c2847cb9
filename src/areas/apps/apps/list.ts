import { defineOperation } from '../../../core/operation.ts'
import { listReply } from '../list.ts'
import { listSchema } from '../list-schema.ts'
import { presentApp } from './present.ts'
import { apps, appSchema } from './schemas.ts'

/** The caller's apps (stated), newest first (ours). */
export const listApps = defineOperation({
  id: 'apps.list',
  method: 'GET',
  path: '/apps',
  title: 'List apps',
  source: 'stated',
  scope: 'apps:read',
  result: listSchema(appSchema),
  writes: false,
  handle: (exchange, { query }) =>
    listReply(exchange, exchange.collection(apps).ownedBy(exchange.caller!.account.id), query, presentApp),
})
