import type { Answer } from './answer.ts'
import type { Answers } from './answers.ts'
import type { Call } from './call.ts'

/** The method and path of a route, below `/__greenhouse`: `GET /worlds/{world}`. */
export type RouteName = keyof Answers

type Handler<Value> = (call: Call) => Answer<Value> | Promise<Answer<Value>>

export interface RouteDefinition<Value = unknown> {
  /** The inputs besides the path; a call with others is refused. */
  readonly reads?: 'query' | 'body' | 'both'
  readonly handle: Handler<Value>
}

/** Routes by name. A function alone reads only the path. */
export type RouteDefinitions<Name extends RouteName> = {
  readonly [Each in Name]: RouteDefinition<Answers[Each]> | Handler<Answers[Each]>
}

/** Declares routes, each with the answer of `Answers`. */
export function defineRoutes<Name extends RouteName>(routes: RouteDefinitions<Name>): RouteDefinitions<Name> {
  return routes
}

/** A route, ready to match. */
export interface ControlRoute extends RouteDefinition {
  readonly method: string
  /** The path, with parameters in braces: `/worlds/{world}`. */
  readonly path: string
}

export function toRoutes(definitions: RouteDefinitions<RouteName>): ControlRoute[] {
  return Object.entries(definitions).map(([name, definition]) => {
    const [method, path] = name.split(' ') as [string, string]
    return { method, path, ...(typeof definition === 'function' ? { handle: definition } : definition) }
  })
}
