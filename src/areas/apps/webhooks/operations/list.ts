import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { listQuery } from '../../../../core/pipeline/query.ts'
import { listOf, listReply } from '../../list-reply.ts'
import { presentWebhook } from '../present.ts'
import { webhooks, webhookSchema } from '../schemas.ts'

export const listWebhooks = declareOperation({
  id: 'webhooks.list',
  method: 'GET',
  path: '/webhooks',
  title: 'List webhooks',
  source: 'ours',
  scope: 'webhooks:read',
  query: listQuery({
    app_id: {
      description: 'Webhooks of this app only.',
      check: (text) => (text === '' ? 'must not be empty' : undefined),
    },
  }),
  ...listOf(webhookSchema),
  writes: false,
  handle(exchange, input) {
    const app = input.query.get('app_id')
    return listReply(exchange, input, {
      records: exchange.collection(webhooks).ownedBy(exchange.caller!.account.id),
      matches: app === null ? undefined : (webhook) => webhook.app === app,
      present: presentWebhook,
    })
  },
})
