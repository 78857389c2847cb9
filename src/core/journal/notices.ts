import type { RequestHead } from '../http/request.ts'

/** The line and headers of a request that is in no journal; empty as far as they could not be read. */
export interface NoticedRequest extends RequestHead {
  readonly search?: string
}

export interface RefusedNotice {
  readonly event: 'refused'
  /** The kind of refusal, under which it is counted. */
  readonly code: string
  readonly request: NoticedRequest
  readonly status: number
  readonly reason: string
}

interface HandledNotice {
  readonly event: 'handled'
  readonly request: NoticedRequest
  readonly status: number
  readonly aborted: boolean
  readonly reason: string | undefined
  readonly ms: number
}

interface DeliveryNotice {
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

export type Notice = RefusedNotice | HandledNotice | DeliveryNotice

export type NoticeListener = (notice: Notice) => void
