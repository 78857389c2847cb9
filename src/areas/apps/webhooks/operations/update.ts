import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { recordOfPath } from '../../declare.ts'
import { cancelPending } from '../delivery/engine.ts'
import { namedApp } from '../checks.ts'
import { presentWebhook, webhookKind } from '../present.ts'
import { webhookChangesSchema, webhooks, webhookSchema } from '../schemas.ts'

/** Changes the fields that are sent. A disabled webhook gets no more attempts, not even due ones. */
export const updateWebhook = declareOperation({
  id: 'webhooks.update',
  method: 'PATCH',
  path: '/webhooks/{webhook_id}',
  title: 'Update a webhook',
  scope: 'webhooks:write',
  body: webhookChangesSchema,
  example: { enabled: false },
  result: webhookSchema,
  handle(exchange, { params, body }) {
    const { id } = recordOfPath(exchange, webhookKind, params)
    const { url, events, app_id, enabled } = body
    const updated = exchange.collection(webhooks).update(id, {
      ...(url !== undefined && { url }),
      ...(events && { events: [...new Set(events)] }),
      ...(app_id !== undefined && { app: namedApp(exchange, app_id) }),
      ...(enabled !== undefined && { enabled }),
      updated_at: exchange.now,
    })
    if (enabled === false) cancelPending(exchange.world, id)
    return { status: 200, body: presentWebhook(updated!) }
  },
})
