import { decideDue, noteFired, nothingDue, type Due, type Verdict } from '../world/arrival.ts'
import type { Area, Operation } from './operation.ts'
import type { Assumptions } from '../definitions/assumptions.ts'
import type { Caller } from './authenticate.ts'
import type { CollectionDefinition } from '../store/collection.ts'
import type { Effect } from '../world/effect.ts'
import type { Explanation } from '../definitions/explanation.ts'
import type { EventType } from '../definitions/events.ts'
import type { NearMiss } from './near-miss.ts'
import type { Overlay } from '../world/overlay.ts'
import type { Quota } from '../accounts/rate-limit.ts'
import type { Records } from '../store/records.ts'
import type { ServiceRequest } from '../http/request.ts'
import type { World } from '../world/world.ts'

const noVerdicts: Verdict[] = []

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
  /** Why the reply is not what the client hoped for. */
  explanation: Explanation | undefined
  /** The effects that act on it. */
  due: Due = nothingDue
  /** What every effect of the active scenarios decided. */
  readonly verdicts: Verdict[]
  /** What the header X-Greenhouse said before scenarios touched the finished reply; `undefined` where it is not sent. */
  trace: string | undefined
  /** How long the reply is held back, in milliseconds. */
  delay = 0
  /** Whether the reply is the one that an earlier request with the same `Idempotency-Key` got. */
  isReplay = false
  #requestId: string | undefined

  constructor(world: World, request: ServiceRequest, area: Area, path: string, overlay: Overlay, secret: string | undefined) {
    this.world = world
    this.request = request
    this.area = area
    this.path = path
    this.overlay = overlay
    this.secret = secret
    this.now = world.clock.now()
    this.verdicts = overlay.effects.length > 0 ? [] : noVerdicts
  }

  /** `req_` and 16 characters, the same however often it is asked for. */
  get requestId(): string {
    return (this.#requestId ??= this.world.random('request').id('req'))
  }

  /** Notes that the reply is an earlier request's. @param requestId the one that its body names, if it names one: its header is to say the same. */
  repeats(requestId: string | undefined): void {
    this.isReplay = true
    if (requestId !== undefined) this.#requestId = requestId
  }

  /** Notes which operation is meant, if any, and lets the active scenarios decide whether they act. */
  arrive(operation: Operation | undefined): void {
    this.operation = operation
    if (this.overlay.effects.length > 0) this.due = decideDue(this)
  }

  /** Tells the world's listeners that something happened to the caller. @param app the app that it happened to, if it was one. */
  emit(type: EventType, app: string | null, data: Readonly<Record<string, unknown>>): void {
    this.world.emit({ type, at: this.now, account: this.caller!.account.id, app, data }, this.overlay)
  }

  /** Notes that an effect changed something. */
  fire(effect: Effect): void {
    noteFired(this.verdicts, effect)
  }

  /** The value of an assumption, which is noted as one that shaped the reply. */
  assume<T extends Assumptions, Id extends keyof T & string>(_assumptions: T, id: Id): T[Id]['values'][number] {
    this.assumed.push(id)
    const switched = this.overlay.switched?.get(id)
    if (switched) this.fire(switched)
    return this.overlay.assumptions.get(id)!
  }

  /** Whether the request sees records of a scenario's in the place of the world's. */
  pretends<T extends object>(definition: CollectionDefinition<T>): boolean {
    return this.collection(definition) !== this.world.collection(definition)
  }

  /** The records of a collection as this request sees them: the world's, unless a scenario has its own. */
  collection<T extends object>(definition: CollectionDefinition<T>): Records<T> {
    if (this.due !== nothingDue)
      for (const effect of this.due.at('collection').reverse()) {
        const records = effect.collection(this, definition)
        if (!records) continue
        this.fire(effect)
        return records
      }
    return this.world.collection(definition)
  }
}
