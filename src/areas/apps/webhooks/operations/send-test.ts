import * as z from 'zod/mini'
import { accepted } from '../../assumptions.ts'
import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { deliverTo } from '../delivery/deliver.ts'
import { toWebhookTest } from '../events.ts'
import { recordOfPath } from '../../declare.ts'
import { assertEnabled } from '../checks.ts'
import { presentDelivery, webhookKind } from '../present.ts'
import { deliverySchema } from '../schemas.ts'

/** Sends the event `webhook.test` to a webhook, even if it is not subscribed. The reply comes before the first attempt. */
export const testWebhook = declareOperation({
  id: 'webhooks.test',
  method: 'POST',
  path: '/webhooks/{webhook_id}/test',
  title: 'Send a test event to a webhook',
  scope: 'webhooks:write',
  result: z.omit(deliverySchema, { attempts: true }),
  statuses: accepted,
  handle(exchange, { params }) {
    const webhook = recordOfPath(exchange, webhookKind, params)
    assertEnabled(webhook)
    const { account } = webhook
    const data = toWebhookTest(webhook, exchange.now)
    const delivery = deliverTo(
      exchange.world,
      webhook,
      { type: 'webhook.test', at: exchange.now, account, app: webhook.app, data },
      exchange.effectiveSettings,
    )
    const { attempts: _, ...body } = presentDelivery(delivery)
    return { status: 202, body }
  },
})
