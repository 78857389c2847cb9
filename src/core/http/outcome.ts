import type { ServerSentEvent } from './event-stream.ts'

/** What an operation returns: a status and the value of a JSON body, or no body. */
export interface Outcome {
  readonly status: number
  readonly body?: unknown
  /** The body's JSON text, where it is known already. */
  readonly text?: string
  /** How many bytes the text takes, where that is known already. */
  readonly length?: number
  /** Leaves as server-sent events in the place of a JSON body. */
  readonly events?: readonly ServerSentEvent[]
}
