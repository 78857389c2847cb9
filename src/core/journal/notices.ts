import type { RequestHead } from '../http/request.ts'

/** The line and headers of a request that is in no journal; empty as far as they could not be read. */
export interface NoticedRequest extends RequestHead {
  readonly search?: string
}

/** A request that was refused before it reached a world: from a page that may not call, or with invalid headers. */
export interface RefusedNotice {
  readonly event: 'refused'
  /** The kind of refusal, under which it is counted. */
  readonly code: string
  readonly request: NoticedRequest
  readonly status: number
  readonly reason: string
}

/** A request that the user's own handlers answered. */
interface HandledNotice {
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
interface DeliveryNotice {
  readonly event: 'delivery'
  readonly world: string
  /** When it was due, in milliseconds since 1970 on the world's clock. */
  readonly at: number
  readonly webhook: string
  readonly delivery: string
  readonly type: string
  readonly url: string
  /** The number of the attempt, from 1. */
  readonly attempt: number
  /** The status of the receiver's response; `null` without one, and `error` says why. */
  readonly status: number | null
  readonly error: string | null
  readonly ms: number
  /** When the next attempt is due, on the world's clock; `null` when there is none. */
  readonly next: number | null
}

/** A log message that is not a journal entry. */
export type Notice = RefusedNotice | HandledNotice | DeliveryNotice

/** Called with every such message. */
export type NoticeListener = (notice: Notice) => void
