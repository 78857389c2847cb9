import { declareGet } from '../../declare.ts'
import { findWebhook } from '../lookup.ts'
import { presentWebhook } from '../present.ts'
import { webhookSchema } from '../schemas.ts'

export const getWebhook = declareGet({
  id: 'webhooks.get',
  path: '/webhooks/{webhook_id}',
  title: 'Get a webhook',
  scope: 'webhooks:read',
  result: webhookSchema,
  read: (exchange, params) => presentWebhook(findWebhook(exchange, params)),
})
