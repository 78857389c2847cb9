import { declareList, fieldFilter } from '../../declare.ts'
import { findWebhook } from '../lookup.ts'
import { presentDelivery, presenterFor } from '../present.ts'
import { deliveries, deliverySchema, deliveryStatuses } from '../schemas.ts'

export const listDeliveries = declareList({
  id: 'deliveries.list',
  path: '/webhooks/{webhook_id}/deliveries',
  title: "List a webhook's deliveries",
  scope: 'webhooks:read',
  item: deliverySchema,
  filters: { status: { description: 'Deliveries with this status.', values: deliveryStatuses } },
  records: (exchange, params) => exchange.collection(deliveries).childrenOf(findWebhook(exchange, params).id),
  matches: fieldFilter('status'),
  present: presentDelivery,
  presenterFor,
})
