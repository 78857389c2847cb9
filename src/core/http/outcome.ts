import type { ServerSentEvent } from './event-stream.ts'

/** The result of an operation: a status and the value of a JSON body, or no body. */
export interface Outcome {
  readonly status: number
  readonly body?: unknown
  /** The body's JSON text, if it is already known. */
  readonly text?: string
  /** The length of the text in bytes, if it is already known. */
  readonly length?: number
  /** Sends server-sent events instead of a JSON body. */
  readonly events?: readonly ServerSentEvent[]
}
