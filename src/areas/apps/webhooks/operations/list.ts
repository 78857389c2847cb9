import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { listQuery } from '../../../../core/pipeline/query.ts'
import { fieldFilter, listOf, listReply } from '../../list-reply.ts'
import { presentWebhook } from '../present.ts'
import { webhooks, webhookSchema } from '../schemas.ts'

export const listWebhooks = declareOperation({
  id: 'webhooks.list',
  method: 'GET',
  path: '/webhooks',
  title: 'List webhooks',
  scope: 'webhooks:read',
  query: listQuery({
    app_id: {
      description: 'Webhooks of this app only.',
      check: (text) => (text === '' ? 'must not be empty' : undefined),
    },
  }),
  ...listOf(webhookSchema),
  handle: (exchange, input) =>
    listReply(exchange, input, {
      records: exchange.collection(webhooks).ownedBy(exchange.caller!.account.id),
      matches: fieldFilter(input.query, 'app_id', 'app'),
      present: presentWebhook,
    }),
})
