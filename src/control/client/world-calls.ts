import type { Answers, RouteName } from '../actions/index.ts'
import type { CallOptions, ControlApi } from './control-api.ts'
import { CallError } from './errors.ts'

export interface ServerFacts {
  readonly collections: Answers['GET /collections']['data']
  operations(): Promise<readonly string[]>
}

/** Calls about one world. The first one that reads it creates it, as in process; later, a world that is gone says so. */
export class WorldCalls {
  readonly api: ControlApi
  readonly name: string
  readonly facts: ServerFacts
  #wasThere = false

  constructor(api: ControlApi, name: string, facts: ServerFacts) {
    this.api = api
    this.name = name
    this.facts = facts
  }

  async read<Route extends RouteName>(route: Route, options: CallOptions<Route> = {}): Promise<Answers[Route]> {
    try {
      return await this.change(route, options)
    } catch (error) {
      if (this.#wasThere || !isUnknown('world', error)) throw error
      // Changes nothing, but creates the world.
      await this.change('PATCH /worlds/{world}/clock', { body: {} })
      return this.change(route, options)
    }
  }

  async change<Route extends RouteName>(route: Route, options: CallOptions<Route> = {}): Promise<Answers[Route]> {
    const answer = await this.api.call(route, options)
    this.#wasThere = true
    return answer
  }

  async finish<Route extends RouteName>(route: Route, options: CallOptions<Route> = {}): Promise<void> {
    await this.change(route, options)
  }
}

export function isUnknown(what: 'world' | 'record', error: unknown): boolean {
  return error instanceof CallError && error.code === `unknown_${what}`
}
