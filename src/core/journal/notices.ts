import type { RequestHead } from '../http/request.ts'

/** The line and the headers of a request that no journal has. */
export interface NoticedRequest extends RequestHead {
  readonly search?: string
}

/** A request that was turned away before it reached a world: by a page that may not call, or with headers that say nothing. */
export interface RefusedNotice {
  readonly event: 'refused'
  readonly request: NoticedRequest
  readonly status: number
  readonly reason: string
}

/** A request that handlers of the user's own answered. */
export interface HandledNotice {
  readonly event: 'handled'
  readonly request: NoticedRequest
  readonly status: number
  /** Whether the reply ended early. */
  readonly aborted: boolean
  /** Why a handler failed. */
  readonly reason: string | undefined
  readonly ms: number
}

/** One attempt to deliver an event to a webhook. */
export interface DeliveryNotice {
  readonly event: 'delivery'
  readonly world: string
  /** When it was due, in milliseconds since 1970 on the world's clock. */
  readonly at: number
  readonly webhook: string
  readonly delivery: string
  readonly type: string
  readonly url: string
  /** Which attempt it was, counted from 1. */
  readonly attempt: number
  /** The status of the receiver's response; `null` without one, and `error` says why. */
  readonly status: number | null
  readonly error: string | null
  readonly ms: number
  /** When the next attempt is due, on the world's clock; `null` when there is none. */
  readonly next: number | null
}

/** What a log tells besides the entries of journals. */
export type Notice = RefusedNotice | HandledNotice | DeliveryNotice

/** Is called with every notice. */
export type NoticeListener = (notice: Notice) => void
