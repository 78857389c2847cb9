import { declareListRecords, fieldFilter } from '../../declare.ts'
import { webhookKind } from '../present.ts'

export const listWebhooks = declareListRecords(webhookKind, {
  id: 'webhooks.list',
  path: '/webhooks',
  title: 'List webhooks',
  scope: 'webhooks:read',
  filters: {
    app_id: {
      description: 'Webhooks of this app only.',
      check: (text) => (text === '' ? 'must not be empty' : undefined),
    },
  },
  matches: fieldFilter('app_id', 'app'),
})
