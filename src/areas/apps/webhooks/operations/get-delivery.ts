import { declareGet } from '../../declare.ts'
import { findDelivery } from '../lookup.ts'
import { presenterFor } from '../present.ts'
import { deliverySchema } from '../schemas.ts'

export const getDelivery = declareGet({
  id: 'deliveries.get',
  path: '/webhooks/{webhook_id}/deliveries/{delivery_id}',
  title: 'Get a delivery',
  scope: 'webhooks:read',
  result: deliverySchema,
  read: (exchange, params) => presenterFor(exchange)(findDelivery(exchange, params).delivery),
})
