import type { Cases } from '../ways.ts'
import { account } from './account.ts'
import { apps } from './apps.ts'
import { conversations } from './conversations.ts'
import { deployments } from './deployments.ts'
import { payments } from './payments.ts'
import { plants } from './plants.ts'
import { usage } from './usage.ts'
import { users } from './users.ts'
import { webhooks } from './webhooks.ts'

/** The ways to each status of each operation. */
export const cases: Cases = {
  ...plants,
  ...apps,
  ...users,
  ...usage,
  ...conversations,
  ...webhooks,
  ...deployments,
  ...payments,
  ...account,
}
