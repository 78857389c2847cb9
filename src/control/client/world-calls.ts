import type { Answers, RouteName } from '../actions/index.ts'
import {
  type ActionFields,
  type CallOptions,
  ControlApi,
  type ControlApiOptions,
} from './control-api.ts'
import { CallError } from './errors.ts'

export interface ServerFacts {
  readonly collections: Answers['GET /collections']['data']
  readonly operations: readonly string[]
}

/**
 * Calls about one world. The first one that reads it creates it, as in process; later, a world that
 * is gone says so.
 */
export class WorldCalls extends ControlApi {
  readonly facts: ServerFacts
  #wasThere = false

  constructor(server: string, options: ControlApiOptions, facts: ServerFacts) {
    super(server, options)
    this.facts = facts
  }

  override async call<Route extends RouteName>(
    route: Route,
    fields?: ActionFields<Route>,
    options?: CallOptions,
  ): Promise<Answers[Route]> {
    const answer = await super.call(route, fields, options)
    this.#wasThere = true
    return answer
  }

  /** Does an action of the world. */
  readonly do: ControlApi['call'] = async (route, fields, options) => {
    try {
      return await this.call(route, fields, options)
    } catch (error) {
      if (this.#wasThere || !isUnknown('world', error)) throw error
      // Changes nothing, but creates the world.
      await this.call('PATCH /worlds/{world}/clock')
      return this.call(route, fields, options)
    }
  }

  readonly change = async <Route extends RouteName>(route: Route, fields?: ActionFields<Route>) => {
    await this.do(route, fields)
  }
}

function isUnknown(what: 'world' | 'record', error: unknown): boolean {
  return error instanceof CallError && error.code === `unknown_${what}`
}

export function ifKnown<T, A>(
  what: 'world' | 'record',
  answer: Promise<T>,
  absent: A,
): Promise<T | A> {
  return answer.catch((error: unknown) => {
    if (!isUnknown(what, error)) throw error
    return absent
  })
}
