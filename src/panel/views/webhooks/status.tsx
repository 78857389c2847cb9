import { Badge, StatusBadge } from '../../components/index.ts'
import type { AttemptSummary, DeliverySummary } from '../../data/shapes.ts'
import { statusOf, toneOfDelivery } from './shapes.ts'

export function DeliveryStatus({ delivery }: { readonly delivery: DeliverySummary }) {
  return <Badge tone={toneOfDelivery(delivery)}>{statusOf(delivery)}</Badge>
}

/** The receiver's reply to an attempt. */
export function AttemptAnswer({ attempt: { status, error } }: { readonly attempt: AttemptSummary }) {
  if (status !== null) return <StatusBadge status={status} />
  return (
    <Badge tone="gone" title={error ?? undefined}>
      no answer
    </Badge>
  )
}
