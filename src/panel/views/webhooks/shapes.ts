import type { DeliveryAttempt, DeliverySummary } from '../../data/shapes.ts'
import type { Tone } from '../../components/index.ts'

/** A webhook as the records have it: times in milliseconds since 1970, the secret as its fingerprint. */
export interface Endpoint {
  readonly id: string
  /** The account's id. */
  readonly account: string
  /** The id of the only app whose events it gets; `null` for all. */
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

/** What a delivery's status means. */
export function toneOfDelivery({ status, attempts }: Pick<DeliverySummary, 'status' | 'attempts'>): Tone {
  return status === 'pending' && attempts.length > 0 ? 'warning' : tones[status]
}

/** A delivery's status in a word: one that waits after a failure is tried again. */
export function statusOf({ status, attempts }: Pick<DeliverySummary, 'status' | 'attempts'>): string {
  return status === 'pending' && attempts.length > 0 ? 'retrying' : status
}

/** Whether a receiver took what it was sent. */
export function isAccepted({ status }: Pick<DeliveryAttempt, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300
}
