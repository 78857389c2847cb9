import type * as z from 'zod/mini'
import type { Call } from './call.ts'

/** A part of JSON text, and the size of its source in bytes, a measure of the work. */
export type Chunk = readonly [text: string, work: number]

/** JSON text in parts, because one large text would delay other requests. */
export class ChunksAnswer {
  readonly chunks: Iterable<Chunk>

  constructor(chunks: Iterable<Chunk>) {
    this.chunks = chunks
  }
}

export interface FeedEvent {
  readonly id?: string
  readonly type?: string
  readonly data: string
}

/** Server-sent events. */
export class StreamAnswer {
  readonly stream: EventFeed

  constructor(stream: EventFeed) {
    this.stream = stream
  }
}

export interface EventFeed {
  subscribe(listener: (event: FeedEvent | undefined) => void): () => void
}

/** Reads a feed as text, until it ends or the returned function is called. */
export function follow(feed: EventFeed, write: (text: string) => void, end: () => void): () => void {
  let isOpen = true
  let unsubscribe = () => {}
  const stop = () => {
    isOpen = false
    unsubscribe()
  }
  unsubscribe = feed.subscribe((event) => {
    if (!isOpen) return
    if (event) return write(toEventText(event))
    stop()
    end()
  })
  // The feed may have ended already.
  if (!isOpen) unsubscribe()
  return stop
}

export function toEventText({ id, type, data }: FeedEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}${type === undefined ? '' : `event: ${type}\n`}data: ${data}\n\n`
}

/** The answer to a call: a value to serialize, or nothing; JSON text in parts; or events. */
export type Answer = ValueAnswer | ChunksAnswer | StreamAnswer

interface ValueAnswer {
  readonly status: number
  readonly value?: unknown
  /** The id of a change that can be taken back. */
  readonly undo?: string | undefined
}

export const undoHeader = 'X-Greenhouse-Undo'

type Schema = z.ZodMiniType

/** Something that can be done to a running Greenhouse: a route of the control API, and all that follows from the table of them. */
export interface ControlAction {
  /** A subject and a verb: `clock.change`. */
  readonly id: string
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  /** Below `/__greenhouse`. */
  readonly path: `/${string}`
  /** What it does, as an order in a menu: "Move, freeze or start the clock". */
  readonly title: string
  readonly description: string
  /** What it takes: the query parameters of a GET or DELETE, otherwise the body. A call with anything else is rejected. */
  readonly input?: Schema | undefined
  /** The query parameters next to a body. */
  readonly query?: Schema | undefined
  /** What it answers; for a stream, the data of an event. Absent: 204. */
  readonly output?: Schema | undefined
  readonly status?: 201
  /** The server-sent events that it answers: the data of each type. */
  readonly events?: Readonly<Record<string, Schema>>
  /** Whether it deletes something that it can't bring back. */
  readonly destructive?: true
  /** Whether a change needs the world to be there. Otherwise, it creates the world if it does not exist, unless it fails. */
  readonly needsWorld?: true
  run(call: Call, input: unknown, query: unknown): unknown
}

export function takesBody({ method }: ControlAction): boolean {
  return method !== 'GET' && method !== 'DELETE'
}

interface ActionDefinition<In, Query, Out> extends Omit<
  ControlAction,
  RouteFields | 'input' | 'query' | 'output' | 'run'
> {
  readonly input?: In
  readonly query?: Query
  readonly output?: Out
  run(call: Call, input: ParsedOf<In>, query: ParsedOf<Query>): Result<Out> | Promise<Result<Out>>
}

type RouteFields = 'id' | 'method' | 'path'

type ParsedOf<T> = T extends Schema ? z.output<T> : undefined

type Result<Out> = Out extends Schema ? Immutable<z.output<Out>> | ChunksAnswer | StreamAnswer : unknown

type Immutable<T> = T extends (...values: never[]) => unknown
  ? T
  : T extends object
    ? { readonly [Name in keyof T]: Immutable<T[Name]> }
    : T

/** An action that knows its types. */
export interface TypedAction<Route = string, In = unknown, Out = unknown> extends ControlAction {
  readonly _types?: { readonly route: Route; readonly input: In; readonly output: Out }
}

type TypesOf<One extends TypedAction> = NonNullable<One['_types']>

/** @param id a subject and a verb: `clock.change` @param route its method, and its path below `/__greenhouse` */
export function defineAction<
  const Route extends `${ControlAction['method']} ${ControlAction['path']}`,
  In extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
  Out extends Schema | undefined = undefined,
>(id: string, route: Route, definition: ActionDefinition<In, Query, Out>): TypedAction<Route, In, Out> {
  const [method, path] = route.split(' ') as [ControlAction['method'], ControlAction['path']]
  return { id, method, path, ...definition }
}

/** What each action of a table answers, by method and path; `undefined` for 204. */
export type AnswersOf<Table extends TypedAction> = {
  readonly [One in Table as TypesOf<One>['route']]: ParsedOf<TypesOf<One>['output']>
}

/** What each action of a table takes, by method and path. */
export type InputsOf<Table extends TypedAction> = {
  readonly [One in Table as TypesOf<One>['route']]: TypesOf<One>['input'] extends infer In extends Schema
    ? Immutable<z.input<In>>
    : undefined
}
