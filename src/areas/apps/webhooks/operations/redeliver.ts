import { accepted } from '../../assumptions.ts'
import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { sendAgain } from '../delivery/engine.ts'
import { recordOfPath } from '../../declare.ts'
import { assertEnabled } from '../checks.ts'
import { deliveryKind, presenterFor, webhookKind } from '../present.ts'
import { deliveries, deliverySchema } from '../schemas.ts'

/**
 * Sends a delivery again, in any state, with the same webhook-id. If it fails, the retry schedule starts again. The
 * reply comes before the attempt. Each accepted call causes one attempt, after any attempt that is due or running.
 */
export const redeliver = declareOperation({
  id: 'deliveries.redeliver',
  method: 'POST',
  path: '/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
  title: 'Send a delivery again',
  scope: 'webhooks:write',
  result: deliverySchema,
  statuses: accepted,
  handle(exchange, { params }) {
    const webhook = recordOfPath(exchange, webhookKind, params)
    const delivery = recordOfPath(exchange, deliveryKind, params, webhook)
    assertEnabled(webhook)
    const pending = sendAgain(exchange.world, exchange.collection(deliveries), delivery, exchange.now)
    return { status: 202, body: presenterFor(exchange)(pending) }
  },
})
