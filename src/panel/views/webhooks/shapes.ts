import type { AttemptSummary, DeliverySummary } from '../../data/shapes.ts'
import type { Tone } from '../../components/index.ts'

/** A webhook as stored: times in milliseconds since 1970, the secret as its fingerprint. */
export interface WebhookEndpoint {
  readonly id: string
  /** The id of the account. */
  readonly account: string
  /** The id of the only app whose events the webhook gets; `null` for all apps. */
  readonly app: string | null
  readonly url: string
  readonly events: readonly string[]
  readonly enabled: boolean
  readonly secret: string
}

const tones: Readonly<Record<DeliverySummary['status'], Tone>> = {
  pending: 'waiting',
  succeeded: 'good',
  failed: 'bad',
  lost: 'gone',
}

/** Returns the colour of a delivery's status. */
export function toneOfDelivery({ status, attempts }: Pick<DeliverySummary, 'status' | 'attempts'>): Tone {
  return status === 'pending' && attempts.length > 0 ? 'warning' : tones[status]
}

/** Returns a delivery's status; `retrying` if it waits after a failed attempt. */
export function statusOf({ status, attempts }: Pick<DeliverySummary, 'status' | 'attempts'>): string {
  return status === 'pending' && attempts.length > 0 ? 'retrying' : status
}

/** Whether the receiver accepted the attempt: status 2xx. */
export function isAccepted({ status }: Pick<AttemptSummary, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300
}
