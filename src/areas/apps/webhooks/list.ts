import { defineOperation } from '../../../core/operation.ts'
import { listReply } from '../list.ts'
import { listSchema } from '../list-schema.ts'
import { presentWebhook } from './present.ts'
import { webhooks, webhookSchema } from './schemas.ts'

export const listWebhooks = defineOperation({
  id: 'webhooks.list',
  method: 'GET',
  path: '/webhooks',
  title: 'List webhooks',
  source: 'ours',
  scope: 'webhooks:write',
  result: listSchema(webhookSchema),
  writes: false,
  handle: (exchange, { query }) => listReply(exchange, exchange.collection(webhooks).ownedBy(exchange.caller!.account.id), query, presentWebhook),
})
