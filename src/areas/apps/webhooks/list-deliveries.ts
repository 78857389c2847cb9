import { defineOperation } from '../../../core/operation.ts'
import { listReply, pageReply } from '../list.ts'
import { listSchema } from '../list-schema.ts'
import { ownWebhook } from './own.ts'
import { presentDelivery, presenterFor } from './present.ts'
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
  handle(exchange, { params, query }) {
    const log = exchange.collection(deliveries).partsOf(ownWebhook(exchange, params).id)
    const present = presenterFor(exchange)
    return present === presentDelivery ? listReply(exchange, log, query, present) : pageReply(exchange, log, query, present)
  },
})
