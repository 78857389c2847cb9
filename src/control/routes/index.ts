import { toRoutes } from '../route.ts'
import { accountRoutes } from './accounts.ts'
import { dueRoutes } from './due.ts'
import { generalRoutes } from './general.ts'
import { journalRoutes } from './journal.ts'
import { keyRoutes } from './keys.ts'
import { recordRoutes } from './records.ts'
import { snapshotRoutes } from './snapshots.ts'
import { webhookRoutes } from './webhooks.ts'
import { worldRoutes } from './worlds.ts'

export const routes = toRoutes({
  ...generalRoutes,
  ...worldRoutes,
  ...journalRoutes,
  ...keyRoutes,
  ...accountRoutes,
  ...dueRoutes,
  ...recordRoutes,
  ...webhookRoutes,
  ...snapshotRoutes,
})
