import type * as z from 'zod/mini'
import type { EventFeed, JsonText } from './answer.ts'
import type { Call } from './call.ts'

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
  /** What it answers; for a stream, the data of an event. Absent: 204. */
  readonly output?: Schema | undefined
  readonly status?: 201
  /** The server-sent events that it answers: the data of each type. */
  readonly events?: Readonly<Record<string, Schema>>
  /** Whether it deletes something that it can't bring back. */
  readonly destructive?: true
  /** Whether a change needs the world to be there. Otherwise, it creates the world if it does not exist, unless it fails. */
  readonly needsWorld?: true
  run(call: Call, input: unknown): unknown
}

export function takesBody({ method }: ControlAction): boolean {
  return method !== 'GET' && method !== 'DELETE'
}

interface ActionDefinition<In, Out> extends Omit<ControlAction, 'id' | 'method' | 'path' | 'input' | 'output' | 'run'> {
  readonly input?: In
  readonly output?: Out
  run(call: Call, input: ParsedOf<In>): Result<Out> | Promise<Result<Out>>
}

type ParsedOf<T> = T extends Schema ? z.output<T> : undefined

type Result<Out> = Out extends Schema ? Immutable<z.output<Out>> | JsonText | EventFeed : unknown

type Immutable<T> = T extends (...values: never[]) => unknown
  ? T
  : T extends object
    ? { readonly [Name in keyof T]: Immutable<T[Name]> }
    : T

export interface TypedAction<Route = string, Out = unknown> extends ControlAction {
  readonly _types?: { readonly route: Route; readonly output: Out }
}

type TypesOf<One extends TypedAction> = NonNullable<One['_types']>

/** @param id a subject and a verb: `clock.change` @param route its method, and its path below `/__greenhouse` */
export function defineAction<
  const Route extends `${ControlAction['method']} ${ControlAction['path']}`,
  In extends Schema | undefined = undefined,
  Out extends Schema | undefined = undefined,
>(id: string, route: Route, definition: ActionDefinition<In, Out>): TypedAction<Route, Out> {
  const [method, path] = route.split(' ') as [ControlAction['method'], ControlAction['path']]
  return { id, method, path, ...definition }
}

/** What each action of a table answers, by method and path; `undefined` for 204. */
export type AnswersOf<Table extends TypedAction> = {
  readonly [One in Table as TypesOf<One>['route']]: ParsedOf<TypesOf<One>['output']>
}
