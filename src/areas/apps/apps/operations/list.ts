import { declareList } from '../../declare.ts'
import { presentApp } from '../present.ts'
import { apps, appSchema } from '../schemas.ts'

export const listApps = declareList({
  id: 'apps.list',
  path: '/apps',
  title: 'List apps',
  source: 'stated',
  scope: 'apps:read',
  item: appSchema,
  records: (exchange) => exchange.collection(apps).ownedBy(exchange.caller!.account.id),
  present: presentApp,
})
