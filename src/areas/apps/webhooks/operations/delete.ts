import { declareDelete } from '../../declare.ts'
import { cancelAttempt } from '../delivery/engine.ts'
import { findWebhook } from '../lookup.ts'
import { deliveries, webhooks } from '../schemas.ts'

export const deleteWebhook = declareDelete({
  id: 'webhooks.delete',
  path: '/webhooks/{webhook_id}',
  title: 'Delete a webhook',
  scope: 'webhooks:write',
  remove(exchange, params) {
    const { id } = findWebhook(exchange, params)
    exchange.collection(webhooks).delete(id)
    for (const delivery of exchange.collection(deliveries).deleteChildren([id])) cancelAttempt(exchange.world, delivery)
  },
})
