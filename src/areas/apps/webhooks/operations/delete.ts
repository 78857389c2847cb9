import { declareDeleteRecord } from '../../declare.ts'
import { webhookKind } from '../present.ts'
import { cancelAttempt } from '../delivery/engine.ts'
import { deliveries } from '../schemas.ts'

export const deleteWebhook = declareDeleteRecord(webhookKind, {
  id: 'webhooks.delete',
  path: '/webhooks/{webhook_id}',
  title: 'Delete a webhook',
  scope: 'webhooks:write',
  deleted(exchange, { id }) {
    for (const delivery of exchange.collection(deliveries).deleteChildren([id])) cancelAttempt(exchange.world, delivery)
  },
})
