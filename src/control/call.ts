import type { Request } from 'express'
import { worldName } from '../core/pipeline/world-address.ts'
import { quote } from '../core/definitions/quote.ts'
import { suggest } from '../core/definitions/suggest.ts'
import type { Greenhouse } from '../greenhouse/greenhouse.ts'
import type { World } from '../greenhouse/world.ts'
import { ControlError } from './errors.ts'
import { invalid } from './body.ts'

/** One call of the control API. */
export class Call {
  readonly greenhouse: Greenhouse
  readonly body: unknown
  readonly #request: Request

  constructor(greenhouse: Greenhouse, request: Request, body: unknown) {
    this.greenhouse = greenhouse
    this.#request = request
    this.body = body
  }

  /** A named part of the path. */
  param(name: string): string {
    return String(this.#request.params[name])
  }

  /** The origin of the server, as the caller addressed it. */
  get origin(): string {
    return `http://${this.#request.headers.host}`
  }

  /** The query parameters. @throws ControlError when one comes twice. */
  get query(): Record<string, string> {
    const mark = this.#request.url.indexOf('?')
    const pairs = [...new URLSearchParams(mark < 0 ? '' : this.#request.url.slice(mark))]
    const names = new Set<string>()
    const twice = pairs.find(([name]) => names.size === names.add(name).size)?.[0]
    if (twice !== undefined) throw invalid(`The query parameter ${quote(twice)} comes more than once.`)
    return Object.fromEntries(pairs)
  }

  /** The world in the path. @throws ControlError 404 when it does not exist. */
  get world(): World {
    const name = this.#worldName()
    if (this.greenhouse.hasWorld(name)) return this.greenhouse.world(name)
    throw new ControlError(
      404,
      'unknown_world',
      `There is no world "${name}". PUT one, or send it a request.${suggest(name, this.greenhouse.worlds())}`,
    )
  }

  /** Changes the world in the path. Makes the world when it does not exist, unless `work` fails. */
  async change<T>(work: (world: World) => T | Promise<T>): Promise<T> {
    const name = this.#worldName()
    const wasThere = this.greenhouse.hasWorld(name)
    const world = this.greenhouse.world(name)
    try {
      return await work(world)
    } catch (error) {
      if (!wasThere) this.greenhouse.deleteWorld(name)
      throw error
    }
  }

  /** Deletes the world in the path, a dropped one too. @throws ControlError 404 when it does not exist. */
  deleteWorld(): void {
    const name = this.#worldName()
    if (!this.greenhouse.deleteWorld(name))
      throw new ControlError(
        404,
        'unknown_world',
        `There is no world "${name}".${suggest(name, this.greenhouse.worlds())}`,
      )
  }

  /** The snapshot's name in the path. */
  get snapshot(): string {
    return toName(this.param('snapshot'), 'invalid_snapshot', 'snapshot')
  }

  #worldName(): string {
    return toName(this.param('world'), 'invalid_world', 'world')
  }
}

function toName(name: string, code: string, what: string): string {
  if (worldName.test(name)) return name
  throw new ControlError(
    400,
    code,
    `Failed to find the ${what} ${quote(name)}: a name is 1 to 64 of the characters A-Z a-z 0-9 . _ -`,
  )
}
