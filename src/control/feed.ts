export interface FeedEvent {
  readonly id?: string
  readonly type?: string
  readonly data: string
}

export interface EventFeed {
  subscribe(listener: (event: FeedEvent | undefined) => void): () => void
}
