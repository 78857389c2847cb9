import type { Answers } from './answers.ts'
import type { Call } from './call.ts'
import type { World } from '../api/world.ts'

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

export interface FeedEvent {
  readonly id?: string
  readonly type?: string
  readonly data: string
}

export interface EventFeed {
  subscribe(listener: (event: FeedEvent | undefined) => void): () => void
}

export function toEventText({ id, type, data }: FeedEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}${type === undefined ? '' : `event: ${type}\n`}data: ${data}\n\n`
}

export type RouteName = keyof Answers

type Handler<Value> = (call: Call) => Answer<Value> | Promise<Answer<Value>>

export interface RouteDefinition<Value = unknown> {
  /** The inputs besides the path; a call with others is refused. */
  readonly reads?: 'query' | 'body' | 'both' | undefined
  readonly handle: Handler<Value>
}

export type RouteDefinitions<Name extends RouteName> = {
  readonly [Each in Name]: RouteDefinition<Answers[Each]> | Handler<Answers[Each]>
}

export function defineRoutes<Name extends RouteName>(routes: RouteDefinitions<Name>): RouteDefinitions<Name> {
  return routes
}

/** Returns a route that changes the world in the path. Creates the world if it does not exist, unless `work` fails. */
export function changing<Value>(
  reads: RouteDefinition['reads'],
  work: (world: World, call: Call) => Value | Promise<Value>,
  status = 200,
): RouteDefinition<Value> {
  return { reads, handle: (call) => call.change(async (world) => ({ status, value: await work(world, call) })) }
}

export interface ControlRoute extends RouteDefinition {
  readonly method: string
  readonly path: string
}

export function toRoutes(definitions: RouteDefinitions<RouteName>): ControlRoute[] {
  return Object.entries(definitions).map(([name, definition]) => {
    const [method, path] = name.split(' ') as [string, string]
    return { method, path, ...(typeof definition === 'function' ? { handle: definition } : definition) }
  })
}
