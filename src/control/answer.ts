import type { EventFeed } from './feed.ts'

/** A part of JSON text, and the size of its source in bytes, a measure of the work. */
export type Chunk = readonly [text: string, work: number]

/**
 * The answer to a call: a value to serialize, or nothing; JSON text in parts, because one large text would delay other
 * requests; or events. `T` is the value, however it is sent.
 */
export type Answer<T = unknown> = ValueAnswer<T> | ChunksAnswer<T> | StreamAnswer<T>

interface ValueAnswer<T = unknown> {
  readonly status: number
  readonly value?: T
}

export interface ChunksAnswer<T = unknown> {
  readonly chunks: Iterable<Chunk>
  readonly _of?: T
}

interface StreamAnswer<T = unknown> {
  readonly stream: EventFeed
  readonly _of?: T
}

export function ok<T>(value: T): ValueAnswer<T> {
  return { status: 200, value }
}

/** Returns the answer 204. Takes the result of the work, so that a handler can write `done(world.clear())`. */
export function done(_: unknown): ValueAnswer<undefined> {
  return { status: 204 }
}
