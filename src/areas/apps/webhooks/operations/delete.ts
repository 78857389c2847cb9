import { deleted, deletedStatus } from '../../assumptions.ts'
import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { cancelAttempt } from '../delivery/engine.ts'
import { findWebhook } from '../lookup.ts'
import { deliveries, webhooks } from '../schemas.ts'

export const deleteWebhook = declareOperation({
  id: 'webhooks.delete',
  method: 'DELETE',
  path: '/webhooks/{webhook_id}',
  title: 'Delete a webhook',
  scope: 'webhooks:write',
  statuses: deleted,
  handle(exchange, { params }) {
    const { id } = findWebhook(exchange, params)
    exchange.collection(webhooks).delete(id)
    for (const delivery of exchange.collection(deliveries).deleteChildren([id])) cancelAttempt(exchange.world, delivery)
    return { status: deletedStatus(exchange) }
  },
})
