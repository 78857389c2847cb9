import type { Area, Operation } from './operation.ts'
import type { Assumptions } from './assumptions.ts'
import type { Caller } from './auth.ts'
import type { NearMiss } from './near-miss.ts'
import type { Overlay } from './overlay.ts'
import type { Quota } from './rate-limit.ts'
import type { ServiceRequest } from './request.ts'
import type { World } from './world.ts'

/** One request on its way through `dispatch`, and what became known of it. */
export class Exchange {
  readonly world: World
  readonly request: ServiceRequest
  readonly area: Area
  /** The path below the area's base. */
  readonly path: string
  readonly overlay: Overlay
  /** When the request came, on the world's clock. */
  readonly now: number
  /** The key that was sent, without a world's suffix; `undefined` when there was none. */
  readonly secret: string | undefined
  operation: Operation | undefined
  caller: Caller | undefined
  quota: Quota | undefined
  /** The assumptions that were asked for, repeats included. */
  readonly assumed: string[] = []
  /** Where no operation was found: gives the closest ones. */
  nearMisses: (() => NearMiss[]) | undefined
  /** The scenarios that changed something. */
  readonly fired: string[] = []
  #requestId: string | undefined

  constructor(world: World, request: ServiceRequest, area: Area, path: string, overlay: Overlay, secret: string | undefined) {
    this.world = world
    this.request = request
    this.area = area
    this.path = path
    this.overlay = overlay
    this.secret = secret
    this.now = world.clock.now()
  }

  /** `req_` and 16 characters, the same however often it is asked for. */
  get requestId(): string {
    return (this.#requestId ??= this.world.random('request').id('req'))
  }

  /** The value of an assumption, which is noted as one that shaped the reply. */
  assume<T extends Assumptions, Id extends keyof T & string>(_assumptions: T, id: Id): T[Id]['values'][number] {
    this.assumed.push(id)
    return this.overlay.assumptions.get(id)!
  }
}
