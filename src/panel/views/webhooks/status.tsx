import type { Webhook } from '../../../areas/apps/webhooks/schemas.ts'
import { Badge, StatusBadge, type Tone } from '../../components/index.ts'
import type { AttemptSummary, DeliverySummary } from '../../data/shapes.ts'

const tones: Readonly<Record<DeliverySummary['status'], Tone>> = {
  pending: 'waiting',
  succeeded: 'good',
  failed: 'bad',
  lost: 'gone',
}

export function DeliveryStatus({ delivery: { status, attempts } }: { readonly delivery: DeliverySummary }) {
  if (status === 'pending' && attempts.length > 0) return <Badge tone="warning">retrying</Badge>
  return <Badge tone={tones[status]}>{status}</Badge>
}

export function AttemptAnswer({ attempt: { status, error } }: { readonly attempt: AttemptSummary }) {
  if (status !== null) return <StatusBadge status={status} />
  return (
    <Badge tone="gone" title={error ?? undefined}>
      no answer
    </Badge>
  )
}

/** A webhook as the panel reads it: the secret is its fingerprint. */
export type WebhookEndpoint = Readonly<Omit<Webhook, 'events'>> & { readonly events: readonly string[] }

export function isAccepted({ status }: AttemptSummary): boolean {
  return status !== null && status >= 200 && status < 300
}
