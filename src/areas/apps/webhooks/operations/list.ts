import { declareList, fieldFilter } from '../../declare.ts'
import { presentWebhook } from '../present.ts'
import { webhooks, webhookSchema } from '../schemas.ts'

export const listWebhooks = declareList({
  id: 'webhooks.list',
  path: '/webhooks',
  title: 'List webhooks',
  scope: 'webhooks:read',
  item: webhookSchema,
  filters: {
    app_id: {
      description: 'Webhooks of this app only.',
      check: (text) => (text === '' ? 'must not be empty' : undefined),
    },
  },
  records: (exchange) => exchange.collection(webhooks).ownedBy(exchange.caller!.account.id),
  matches: fieldFilter('app_id', 'app'),
  present: presentWebhook,
})
