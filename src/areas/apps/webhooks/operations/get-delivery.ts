import { declareGetRecord } from '../../declare.ts'
import { deliveryKind } from '../present.ts'

export const getDelivery = declareGetRecord(deliveryKind, {
  id: 'deliveries.get',
  path: '/webhooks/{webhook_id}/deliveries/{delivery_id}',
  title: 'Get a delivery',
  scope: 'webhooks:read',
})
