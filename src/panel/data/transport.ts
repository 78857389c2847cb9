/** The answer to a call of the control API. */
export interface CallAnswer {
  readonly status: number
  /** The parsed JSON body, with integers of 64 bits as bigints; `undefined` without a body. */
  readonly value: unknown
}

export interface StreamEvent {
  /** The id to resume after; `''` without one. */
  readonly id: string
  /** `request`, `clock`, `scenarios`, … or `gap`, where events are missing before it. */
  readonly type: string
  readonly data: unknown
}

/** A listener of the stream, and its last event. */
export interface EventListener {
  /** The event to resume after; without it, the stream begins now. */
  readonly lastId?: string | undefined
  /** Called when the server answered: data loaded from now on is not older than the stream. */
  onOpen(): void
  onEvent(event: StreamEvent): void
  /** Called last: the stream ended, or could not be opened. */
  onEnd(reason: StreamEnd): void
}

/** Why a stream ended: the server is gone, needs a token, cannot have such a world, or has too many open pages. */
export type StreamEnd = 'lost' | 'needs-token' | 'refused' | 'crowded'

/** The connection to a Greenhouse: over HTTP, or in the same page. */
export interface Transport {
  /**
   * Calls a route of the control API. @param path below `/__greenhouse`, query included. @throws ConnectionError
   * without an answer.
   */
  call(method: string, path: string, body?: unknown): Promise<CallAnswer>
  /** Opens the stream of events about a world, and of those about all worlds. Returns a function that closes it. */
  events(world: string, listener: EventListener): () => void
  /** Sends a request to the mocked API itself. @param path from the service's root: `/v1/apps`. */
  apiFetch(path: string, init?: RequestInit): Promise<Response>
}

/** Thrown when nobody answers a call. */
export class ConnectionError extends Error {
  override name = 'ConnectionError'
}
