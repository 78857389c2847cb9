import type { Webhook } from '../../../areas/apps/webhooks/schemas/webhook.ts'
import type { AttemptSummary, DeliverySummary } from '../../data/shapes.ts'
import type { Tone } from '../../components/index.ts'

/** A webhook as the panel reads it: the secret is its fingerprint. */
export type WebhookEndpoint = Readonly<Omit<Webhook, 'events'>> & { readonly events: readonly string[] }

const tones: Readonly<Record<DeliverySummary['status'], Tone>> = {
  pending: 'waiting',
  succeeded: 'good',
  failed: 'bad',
  lost: 'gone',
}

export function toneOfDelivery({ status, attempts }: DeliverySummary): Tone {
  return status === 'pending' && attempts.length > 0 ? 'warning' : tones[status]
}

/** Returns a delivery's status; `retrying` if it waits after a failed attempt. */
export function statusOf({ status, attempts }: DeliverySummary): string {
  return status === 'pending' && attempts.length > 0 ? 'retrying' : status
}

/** Whether the receiver accepted the attempt: status 2xx. */
export function isAccepted({ status }: AttemptSummary): boolean {
  return status !== null && status >= 200 && status < 300
}
