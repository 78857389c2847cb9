import { type Caller, keys } from '../accounts/accounts.ts'
import type { Quota } from '../accounts/rate-limit.ts'
import type { Assumptions } from '../contract/assumptions.ts'
import type { Explanation } from '../contract/errors.ts'
import type { ServiceRequest } from '../http/request.ts'
import type { NearMiss } from '../journal/journal-record.ts'
import type { CollectionDefinition } from '../store/collection.ts'
import type { CollectionStore } from '../store/records.ts'
import type { LayerEffect, EffectiveSettings } from '../world/effective-settings.ts'
import type { CoreWorld } from '../world/world.ts'
import { type AreaRules, type Endpoint, type Exchange, type MatchedEffects, noEffects, noVerdicts } from './exchange.ts'
import type { ScenarioRunner } from './scenario-runner.ts'
import type { Verdicts } from './verdicts.ts'

export class ArrivedExchange implements Exchange {
  readonly world: CoreWorld
  readonly request: ServiceRequest
  readonly area: AreaRules
  readonly path: string
  readonly effectiveSettings: EffectiveSettings
  readonly now: number
  readonly secret: string | undefined
  operation: Endpoint | undefined
  caller: Caller | undefined
  quota: Quota | undefined
  readonly assumed: string[] = []
  nearMisses: (() => NearMiss[]) | undefined
  explanation: Explanation | undefined
  effects: MatchedEffects = noEffects
  verdicts: Verdicts = noVerdicts
  trace: string | undefined
  delay = 0
  isReplay = false
  #requestId: string | undefined

  constructor(
    world: CoreWorld,
    request: ServiceRequest,
    area: AreaRules,
    path: string,
    effectiveSettings: EffectiveSettings,
    secret: string | undefined,
  ) {
    this.world = world
    this.request = request
    this.area = area
    this.path = path
    this.effectiveSettings = effectiveSettings
    this.secret = secret
    this.now = world.clock.now()
  }

  get account(): string | undefined {
    if (this.caller) return this.caller.account.id
    if (this.secret === undefined) return undefined
    try {
      // No step has found the caller, because a scenario answered first or the key is not valid.
      return this.world.collection(keys).get(this.secret)?.account
    } catch {
      // The world could not load its fixtures; the reply says so.
      return undefined
    }
  }

  get requestId(): string {
    return (this.#requestId ??= this.world.random('request').id('req'))
  }

  repeats(requestId: string | undefined): void {
    this.isReplay = true
    if (requestId !== undefined) this.#requestId = requestId
  }

  arrive(operation: Endpoint | undefined, runner: ScenarioRunner | undefined): void {
    this.operation = operation
    if (this.effectiveSettings.effects.length === 0) return
    const { effects, verdicts } = runner!.match(this)
    this.effects = effects
    this.verdicts = verdicts
  }

  emit(type: string, app: string | null, data: Readonly<Record<string, unknown>>): void {
    this.world.emit({ type, at: this.now, account: this.caller!.account.id, app, data }, this.effectiveSettings)
  }

  fire(effect: LayerEffect): void {
    this.verdicts.fire(this.effectiveSettings.effects.indexOf(effect))
  }

  assume<T extends Assumptions, Id extends keyof T & string>(_assumptions: T, id: Id): T[Id]['values'][number] {
    this.assumed.push(id)
    const switched = this.effectiveSettings.switched?.get(id)
    if (switched) this.fire(switched)
    return this.effectiveSettings.assumptions.get(id)!
  }

  isReplaced<T extends object>(definition: CollectionDefinition<T>): boolean {
    return this.collection(definition) !== this.world.collection(definition)
  }

  collection<T extends object>(definition: CollectionDefinition<T>): CollectionStore<T> {
    const replacing = this.effects.for('collection')
    for (let index = replacing.length - 1; index >= 0; index--) {
      const records = replacing[index]!.collection(this, definition)
      if (!records) continue
      this.fire(replacing[index]!)
      return records
    }
    return this.world.collection(definition)
  }
}
