import type { Answer } from './answer.ts'
import type { Answers } from './answers.ts'
import type { Call } from './call.ts'

export type RouteName = keyof Answers

type Handler<Value> = (call: Call) => Answer<Value> | Promise<Answer<Value>>

export interface RouteDefinition<Value = unknown> {
  /** The inputs besides the path; a call with others is refused. */
  readonly reads?: 'query' | 'body' | 'both'
  readonly handle: Handler<Value>
}

export type RouteDefinitions<Name extends RouteName> = {
  readonly [Each in Name]: RouteDefinition<Answers[Each]> | Handler<Answers[Each]>
}

export function defineRoutes<Name extends RouteName>(routes: RouteDefinitions<Name>): RouteDefinitions<Name> {
  return routes
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
