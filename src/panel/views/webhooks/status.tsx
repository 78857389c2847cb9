import { Badge } from '../../components/index.ts'
import type { DeliverySummary } from '../../data/shapes.ts'
import { statusOf, toneOfDelivery } from './shapes.ts'

/** What a delivery has come to. */
export function DeliveryStatus({ delivery }: { readonly delivery: Pick<DeliverySummary, 'status' | 'attempts'> }) {
  return <Badge tone={toneOfDelivery(delivery)}>{statusOf(delivery)}</Badge>
}
