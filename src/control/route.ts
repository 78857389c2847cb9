import type { Answer } from './answer.ts'
import type { Answers } from './answers.ts'
import type { Call } from './call.ts'

/** The method and path of a route, below `/__greenhouse`: `GET /worlds/{world}`. */
export type RouteName = keyof Answers

type Handler<Value> = (call: Call) => Answer<Value> | Promise<Answer<Value>>

/** What a call may carry, and what answers it. */
export interface RouteDefinition<Value = unknown> {
  /** What it reads besides the path. A call that carries something else is refused. */
  readonly reads?: 'query' | 'body' | 'both'
  readonly handle: Handler<Value>
}

/** What a route does, by name. A function alone reads nothing but the path. */
export type RouteDefinitions<Name extends RouteName> = {
  readonly [Each in Name]: RouteDefinition<Answers[Each]> | Handler<Answers[Each]>
}

/** Declares routes, each of which answers what `Answers` says. */
export function defineRoutes<Name extends RouteName>(routes: RouteDefinitions<Name>): RouteDefinitions<Name> {
  return routes
}

/** A route as calls find it. */
export interface Route extends RouteDefinition {
  readonly method: string
  /** Parameters stand in braces: `/worlds/{world}`. */
  readonly path: string
}

/** The routes as calls find them. */
export function toRoutes(definitions: RouteDefinitions<RouteName>): Route[] {
  return Object.entries(definitions).map(([name, definition]) => {
    const [method, path] = name.split(' ') as [string, string]
    return { method, path, ...(typeof definition === 'function' ? { handle: definition } : definition) }
  })
}
