import type { Webhook } from '../../../areas/apps/webhooks/schemas/webhook.ts'
import type { AttemptSummary } from '../../data/shapes.ts'

/** A webhook as the panel reads it: the secret is its fingerprint. */
export type WebhookEndpoint = Readonly<Omit<Webhook, 'events'>> & { readonly events: readonly string[] }

export function isAccepted({ status }: AttemptSummary): boolean {
  return status !== null && status >= 200 && status < 300
}
