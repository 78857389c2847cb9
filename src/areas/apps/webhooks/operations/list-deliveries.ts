import { declareListRecords, fieldFilter } from '../../declare.ts'
import { deliveryKind } from '../present.ts'
import { deliveryStatuses } from '../schemas.ts'

export const listDeliveries = declareListRecords(deliveryKind, {
  id: 'deliveries.list',
  path: '/webhooks/{webhook_id}/deliveries',
  title: "List a webhook's deliveries",
  scope: 'webhooks:read',
  filters: { status: { description: 'Deliveries with this status.', values: deliveryStatuses } },
  matches: fieldFilter('status'),
})
