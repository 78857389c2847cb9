import { defineOperation } from '../../../core/operation.ts'
import { listReply } from '../list.ts'
import { listSchema } from '../list-schema.ts'
import { ownWebhook } from './own.ts'
import { presentDelivery } from './present.ts'
import { deliveries, deliverySchema } from './schemas.ts'

/** The newest deliveries of a webhook, with their attempts. */
export const listDeliveries = defineOperation({
  id: 'deliveries.list',
  method: 'GET',
  path: '/webhooks/{webhook_id}/deliveries',
  title: "List a webhook's deliveries",
  source: 'ours',
  scope: 'webhooks:write',
  result: listSchema(deliverySchema),
  writes: false,
  handle: (exchange, { params, query }) => listReply(exchange, exchange.collection(deliveries).partsOf(ownWebhook(exchange, params).id), query, presentDelivery),
})
