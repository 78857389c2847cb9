import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { listQuery } from '../../../../core/pipeline/query.ts'
import { fieldFilter, listOf, listReply, pageReply } from '../../list-reply.ts'
import { findWebhook } from '../lookup.ts'
import { presentDelivery, presenterFor } from '../present.ts'
import { deliveries, deliverySchema, deliveryStatuses } from '../schemas.ts'

export const listDeliveries = declareOperation({
  id: 'deliveries.list',
  method: 'GET',
  path: '/webhooks/{webhook_id}/deliveries',
  title: "List a webhook's deliveries",
  scope: 'webhooks:read',
  query: listQuery({ status: { description: 'Deliveries with this status.', values: deliveryStatuses } }),
  ...listOf(deliverySchema),
  handle(exchange, input) {
    const present = presenterFor(exchange)
    const reply = present === presentDelivery ? listReply : pageReply
    return reply(exchange, input, {
      records: exchange.collection(deliveries).childrenOf(findWebhook(exchange, input.params).id),
      matches: fieldFilter(input.query, 'status', 'status'),
      present,
    })
  },
})
