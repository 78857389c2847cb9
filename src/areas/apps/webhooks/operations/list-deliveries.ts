import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { listQuery } from '../../../../core/pipeline/query.ts'
import { listOf, listReply, pageReply } from '../../list-reply.ts'
import { findWebhook } from '../lookup.ts'
import { presentDelivery, presenterFor } from '../present.ts'
import { deliveries, deliverySchema, deliveryStatuses } from '../schemas.ts'

export const listDeliveries = declareOperation({
  id: 'deliveries.list',
  method: 'GET',
  path: '/webhooks/{webhook_id}/deliveries',
  title: "List a webhook's deliveries",
  source: 'ours',
  scope: 'webhooks:read',
  query: listQuery({ status: { description: 'Deliveries with this status.', values: deliveryStatuses } }),
  ...listOf(deliverySchema),
  writes: false,
  handle(exchange, input) {
    const status = input.query.get('status')
    const present = presenterFor(exchange)
    const reply = present === presentDelivery ? listReply : pageReply
    return reply(exchange, input, {
      records: exchange.collection(deliveries).childrenOf(findWebhook(exchange, input.params).id),
      matches: status === null ? undefined : (delivery) => delivery.status === status,
      present,
    })
  },
})
