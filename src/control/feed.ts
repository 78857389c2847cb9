export interface FeedEvent {
  /** The id with which a reader can continue after this event. */
  readonly id?: string
  /** Its type; `message` if absent. */
  readonly type?: string
  /** JSON text. */
  readonly data: string
}

/** Events as they happen. */
export interface EventFeed {
  /** Calls back with every event, and with `undefined` at the end. Returns a function that ends it. */
  subscribe(listener: (event: FeedEvent | undefined) => void): () => void
}
