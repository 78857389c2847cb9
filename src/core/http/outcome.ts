import type { ServerSentEvent } from './event-stream.ts'

export interface Outcome {
  readonly status: number
  readonly body?: unknown
  readonly text?: string
  /** The length of the text in bytes, if it is already known. */
  readonly length?: number
  readonly events?: readonly ServerSentEvent[]
}
