import { declareGetRecord } from '../../declare.ts'
import { webhookKind } from '../present.ts'

export const getWebhook = declareGetRecord(webhookKind, {
  id: 'webhooks.get',
  path: '/webhooks/{webhook_id}',
  title: 'Get a webhook',
  scope: 'webhooks:read',
})
