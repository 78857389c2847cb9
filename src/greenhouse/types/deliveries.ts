import type { EventType } from '../../areas/event-types.ts'
import type { WebhookEvent } from './webhook-event.ts'

/** One attempt to deliver an event, as replies carry it. */
export interface AttemptReply {
  /** ISO 8601. */
  at: string
  /** The status of the receiver's response; `null` when none came. */
  status: number | null
  /** Why no response came. */
  error: string | null
  /** How long the receiver took, in milliseconds of real time. */
  latency_ms: number
  /** The beginning of the receiver's response body. */
  response: string | null
}

/** One event on its way to one webhook, as replies carry it. `world.trigger` returns these too. */
export interface DeliveryReply {
  /** `del_` and 16 characters. */
  id: string
  webhook_id: string
  /** The same for every attempt, redelivery and duplicate: the header `webhook-id`. */
  event_id: string
  type: EventType
  /** `lost`: a scenario dropped it. */
  status: 'pending' | 'succeeded' | 'failed' | 'lost'
  /** The newest 100. */
  attempts: AttemptReply[]
  /** ISO 8601; `null` when there is no further attempt. */
  next_attempt_at: string | null
  /** The body of the request to the receiver. */
  payload: WebhookEvent
  /** ISO 8601. */
  created_at: string
}
