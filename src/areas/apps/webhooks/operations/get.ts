import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { findWebhook } from '../lookup.ts'
import { presentWebhook } from '../present.ts'
import { webhookSchema } from '../schemas.ts'

export const getWebhook = declareOperation({
  id: 'webhooks.get',
  method: 'GET',
  path: '/webhooks/{webhook_id}',
  title: 'Get a webhook',
  scope: 'webhooks:read',
  result: webhookSchema,
  handle: (exchange, { params }) => ({ status: 200, body: presentWebhook(findWebhook(exchange, params)) }),
})
