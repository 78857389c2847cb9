import { defineOperation } from '../../../core/operation.ts'
import { enqueue } from './engine.ts'
import { assertEnabled, ownDelivery } from './own.ts'
import { presenterFor } from './present.ts'
import { deliveries, deliverySchema } from './schemas.ts'

/** Sends a delivery again, whatever came of it, with the same webhook-id; should it fail, the retry schedule begins anew. The reply comes before the attempt. */
export const redeliver = defineOperation({
  id: 'deliveries.redeliver',
  method: 'POST',
  path: '/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
  title: 'Send a delivery again',
  source: 'ours',
  scope: 'webhooks:write',
  result: deliverySchema,
  writes: true,
  async handle(exchange, { params }) {
    const { webhook, delivery } = ownDelivery(exchange, params)
    assertEnabled(webhook)
    const pending = await exchange.collection(deliveries).update(delivery.id, { status: 'pending', tries: 0, next_attempt_at: exchange.now })
    enqueue(exchange.world, { delivery: delivery.id, webhook: webhook.id, account: webhook.account, at: exchange.now })
    return { status: 202, body: presenterFor(exchange)(pending!) }
  },
})
