import { type Caller, findKey, type Key } from '../accounts/accounts.ts'
import type { Quota } from '../accounts/rate-limit.ts'
import { assumptionValue } from '../contract/assumptions.ts'
import type { AssumptionValues } from '../contract/generated/assumption-values.ts'
import type { ApiError, Explanation } from '../contract/errors.ts'
import type { Reply } from '../http/reply.ts'
import type { ServiceRequest } from '../http/request.ts'
import {
  type JournalRecord,
  type NearMiss,
  noVerdicts,
  type Verdicts,
} from '../journal/journal-record.ts'
import type { CollectionDefinition } from '../store/collection.ts'
import type { CollectionStore } from '../store/records.ts'
import type { EffectiveSettings, LayerEffect } from '../world/effective-settings.ts'
import type { LiveWorld } from '../world/live-world.ts'
import type { Area } from './area.ts'
import type { Router } from './router.ts'
import { type MatchedEffects, type MatchedExchange, noEffects } from './effect.ts'
import type { Operation } from './operation.ts'
import type { Fields } from '../text/values.ts'

/** Where a request goes: the area, the path below the base of the area, and the key. */
interface RequestTarget {
  readonly area: Area
  /** Finds the operations of the area. */
  readonly router: Router
  readonly path: string
  readonly secret: string | undefined
}

/** One request on its way to a reply, and what each step found out about it. */
export class Exchange implements MatchedExchange {
  readonly world: LiveWorld
  readonly request: ServiceRequest
  readonly area: Area
  readonly router: Router
  readonly path: string
  readonly effectiveSettings: EffectiveSettings
  /** The time of the world's clock when the request arrived. */
  readonly now: number
  /** The key from the request, without a world's suffix. */
  readonly secret: string | undefined
  operation: Operation | undefined
  caller: Caller | undefined
  /**
   * A key that the real service accepted. If the fixtures lack the key, the mock creates an account
   * for it.
   */
  acceptedKey: Readonly<Key> | undefined
  /** The state of the quota after this request was counted; `undefined` until then. */
  quota: Quota | undefined
  /** The ids of the assumptions that were read, with repeats. */
  readonly assumed: string[] = []
  nearMisses: (() => NearMiss[]) | undefined
  /** Why the reply is an error, or what scenarios changed. */
  explanation: Explanation | undefined
  /** The origin of the real service that answered. */
  answeredBy: string | undefined
  /** The addition to the reason by a scenario that let the request pass and has no reply. */
  note: string | undefined
  replyViolations: JournalRecord['replyViolations']
  effects: MatchedEffects = noEffects
  verdicts: Verdicts = noVerdicts
  /**
   * The value of X-Greenhouse before scenarios change the finished reply; `undefined` if the header
   * is off.
   */
  trace: string | undefined
  /** How long scenarios hold the reply back, in milliseconds. */
  delay = 0
  /** True if the reply is that of an earlier request with the same idempotency key. */
  isReplay = false
  /** True if the effects have decided whether they act: they count each request once. */
  areEffectsMatched = false
  #requestId: string | undefined

  constructor(
    world: LiveWorld,
    request: ServiceRequest,
    target: RequestTarget,
    effectiveSettings: EffectiveSettings,
  ) {
    this.world = world
    this.request = request
    this.area = target.area
    this.router = target.router
    this.path = target.path
    this.effectiveSettings = effectiveSettings
    this.secret = target.secret
    this.now = world.clock.now()
  }

  /** The id of the account that the journal shows, also for a key that was refused. */
  get account(): string | undefined {
    if (this.caller) return this.caller.account.id
    try {
      // No step found the caller, because a scenario answered first or the key is not valid.
      return findKey(this.world, this.secret)?.account
    } catch {
      // The world could not load its fixtures; the reply says so.
      return undefined
    }
  }

  /** The id of X-Request-Id, drawn when it is first read. */
  get requestId(): string {
    return (this.#requestId ??= this.world.random('request').id('req'))
  }

  /**
   * Marks the reply as a replay. @param requestId the request id in its body, if there is one; the
   * header must have the same id.
   */
  markAsReplay(requestId: string | undefined): void {
    this.isReplay = true
    if (requestId !== undefined) this.#requestId = requestId
  }

  toErrorReply(error: ApiError): Reply {
    return this.area.toErrorReply(this, error)
  }

  /** Reports an event of the caller's account, which is delivered to webhooks. */
  emit(
    this: Exchange & { readonly caller: Caller },
    type: string,
    app: string | null,
    data: Fields,
  ): void {
    this.world.emit(
      {
        type,
        at: this.now,
        account: this.caller.account.id,
        app,
        data,
      },
      this.effectiveSettings,
    )
  }

  /** Notes in the journal that an effect changed something. */
  fire(effect: LayerEffect): void {
    this.verdicts.fire(this.effectiveSettings.effects.indexOf(effect))
  }

  /** Reads an assumption, and notes in the journal that the reply depends on it. */
  assume<Id extends keyof AssumptionValues>(id: Id): AssumptionValues[Id] {
    this.assumed.push(id)
    const { switchedBy } = this.effectiveSettings
    const effect = switchedBy.size > 0 && switchedBy.get(id)
    if (effect) this.fire(effect)
    return assumptionValue(this.effectiveSettings, id)
  }

  /** Returns the records that this request sees: those of the last scenario that replaces them. */
  collection<T extends object>(definition: CollectionDefinition<T>): CollectionStore<T> {
    const replacing = this.effects.for('replaceCollection')
    // Nothing is allocated for the requests whose records no scenario replaces.
    if (replacing.length === 0) return this.world.collection(definition)
    for (const effect of replacing.toReversed()) {
      const records = effect.replaceCollection(this, definition)
      if (!records) continue
      this.fire(effect)
      return records
    }
    return this.world.collection(definition)
  }
}
