/** One event of a stream. */
export interface FeedEvent {
  /** What a reader names that wants to go on from here. */
  readonly id?: string
  /** What it is; `message` where it is absent. */
  readonly type?: string
  /** JSON text. */
  readonly data: string
}

/** Events as they happen. */
export interface EventFeed {
  /** Calls back with every event, and with `undefined` once no more come. Returns what ends it. */
  subscribe(listener: (event: FeedEvent | undefined) => void): () => void
}
