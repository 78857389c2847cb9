import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { findDelivery } from '../lookup.ts'
import { presenterFor } from '../present.ts'
import { deliverySchema } from '../schemas.ts'

export const getDelivery = declareOperation({
  id: 'deliveries.get',
  method: 'GET',
  path: '/webhooks/{webhook_id}/deliveries/{delivery_id}',
  title: 'Get a delivery',
  scope: 'webhooks:read',
  result: deliverySchema,
  handle: (exchange, { params }) => ({
    status: 200,
    body: presenterFor(exchange)(findDelivery(exchange, params).delivery),
  }),
})
