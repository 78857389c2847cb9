import type { RequestHead } from '../http/request.ts'

/**
 * The line and headers of a request that is in no journal; empty as far as they could not be read.
 */
export interface LoggedRequest extends RequestHead {
  readonly search?: string
}

export interface RejectedRequest {
  readonly event: 'refused'
  readonly code: string
  readonly request: LoggedRequest
  readonly status: number
  readonly reason: string
}

interface HandledRequest {
  readonly event: 'handled'
  readonly request: LoggedRequest
  readonly status: number
  readonly aborted: boolean
  readonly reason: string | undefined
  readonly ms: number
}

interface DeliveryLogEvent {
  readonly event: 'delivery'
  readonly world: string
  /** When it was due, in milliseconds since 1970 on the world's clock. */
  readonly at: number
  readonly webhook: string
  readonly delivery: string
  readonly type: string
  readonly url: string
  readonly attempt: number
  readonly status: number | null
  readonly error: string | null
  readonly ms: number
  /** When the next attempt is due, on the world's clock; `null` when there is none. */
  readonly next: number | null
}

export type LogEvent = RejectedRequest | HandledRequest | DeliveryLogEvent

export type LogEventListener = (event: LogEvent) => void
