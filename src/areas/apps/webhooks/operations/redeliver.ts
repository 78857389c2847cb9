import { accepted } from '../../statuses.ts'
import { defineOperation } from '../../../../core/pipeline/operation.ts'
import { enqueue } from '../delivery/engine.ts'
import { assertEnabled, ownDelivery } from '../lookup.ts'
import { presenterFor } from '../present.ts'
import { deliveries, deliverySchema } from '../schemas/delivery.ts'

/**
 * Sends a delivery again, whatever came of it, with the same webhook-id; should it fail, the retry schedule begins anew. The reply
 * comes before the attempt. Each that is accepted makes an attempt: while one is due or under way, it follows that one.
 */
export const redeliver = defineOperation({
  id: 'deliveries.redeliver',
  method: 'POST',
  path: '/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
  title: 'Send a delivery again',
  source: 'ours',
  scope: 'webhooks:write',
  result: deliverySchema,
  statuses: accepted,
  writes: true,
  handle(exchange, { params }) {
    const { webhook, delivery } = ownDelivery(exchange, params)
    assertEnabled(webhook)
    const { now, world } = exchange
    const stored = exchange.collection(deliveries)
    const isDue = delivery.status === 'pending' && delivery.next_attempt_at !== null && delivery.next_attempt_at <= now
    const pending = stored.update(
      delivery.id,
      isDue
        ? { redeliveries: (delivery.redeliveries ?? 0) + 1 }
        : { status: 'pending', tries: 0, next_attempt_at: now },
    )
    if (!isDue) enqueue(world, { delivery: delivery.id, webhook: webhook.id, account: webhook.account, at: now })
    return { status: 202, body: presenterFor(exchange)(pending!) }
  },
})
