import type { Account, Key } from '../accounts/accounts.ts'
import type { Caller } from '../accounts/caller.ts'
import type { PlanName } from '../accounts/plans.ts'
import type { Limiter, Quota, Refill, Spender, WindowName } from '../accounts/rate-limit.ts'
import type { WindowKind } from '../accounts/rate-window.ts'
import type { Assumptions } from '../definitions/assumptions.ts'
import type { ApiError } from '../definitions/errors.ts'
import type { Explanation } from '../definitions/explanation.ts'
import type { Reply } from '../http/reply.ts'
import type { ServiceRequest } from '../http/request.ts'
import type { NearMiss } from '../journal/near-miss.ts'
import type { CollectionDefinition } from '../store/collection.ts'
import type { CollectionStore } from '../store/records.ts'
import type { LayerEffect } from '../world/layer.ts'
import type { Overlay } from '../world/overlay.ts'
import type { CoreWorld } from '../world/world.ts'
import type { EffectDecision } from './decision.ts'
import type { Endpoint, Input } from './endpoint.ts'
import type { Refusal } from './refusal.ts'
import type { Verdicts } from './verdicts.ts'

/** The apparent sender of a request, before its key is checked: the key's account, on its current plan. */
export type PresumedCaller = Pick<Caller, 'key' | 'account'>

export interface HypotheticalCaller {
  /** The account, on its current plan. */
  readonly account: Readonly<Account>
  /** Whether the caller could send this key. */
  hasKey(secret: string): boolean
}

/**
 * What an active scenario does to the requests that match. All members but the names are optional. No effect changes the world's data, so
 * clearing the scenario undoes it. Failed payments are the exception, because the payment provider is part of the world.
 */
export interface Effect extends LayerEffect {
  /** The effect on a reply, for the log and the journal: 'answered instead'. */
  readonly act?: string | ((exchange: Exchange) => string)
  /** Decides once, when a request arrives, whether it acts; without this it always does. */
  decide?(exchange: Exchange, sender: () => PresumedCaller | undefined): EffectDecision
  /** Whether it would act on the caller's next matching request; without this it always would. Counts nothing. */
  wouldAct?(caller: HypotheticalCaller): boolean
  /** Replaces the key: `'unknown'` if the service does not know it, `'lost'` if it never arrives. */
  key?(key: Readonly<Key>, now: number): Readonly<Key> | 'unknown' | 'lost'
  /** Replaces the plan of the account. */
  plan?(account: Readonly<Account>): PlanName
  /** Replaces the counter `below` for rate limits. */
  limiter?(spender: Spender, below: Limiter): Limiter
  /** Returns the counter that the next request would meet. Changes nothing. */
  previewLimiter?(spender: Spender, below: Limiter): Limiter
  /** Resets its counter for a budget, in one window or in both. */
  refill?(budget: string, window?: WindowName): void
  /** Returns the windows of its counter, and when each refills. */
  refills?(kind: WindowKind, now: number): readonly Refill[]
  /** Replaces the records that requests see. */
  collection?<T extends object>(exchange: Exchange, definition: CollectionDefinition<T>): CollectionStore<T> | undefined
  /** Returns a reply before the service does anything. */
  respond?(exchange: Exchange): Reply
  /** Changes the result of the operation. Returns `body` itself if it does not apply. */
  malform?(exchange: Exchange, body: unknown): unknown
  /** Whether the result of `malform` depends only on the operation and the body, so that it can be cached. */
  readonly isCacheable?: boolean
  /** Changes the finished reply. Returns `reply` itself if it does not apply. */
  transformReply?(exchange: Exchange, reply: Reply): Reply
}

/** The steps at which effects act on a request. */
export type EffectStep = 'key' | 'plan' | 'limiter' | 'collection' | 'respond' | 'malform' | 'charge' | 'transformReply'

/** The effects that act on one request, by step. */
export interface MatchedEffects {
  /** Identifies this set in caches that outlive it. */
  readonly identity: object
  /** All effects, in order of activation. */
  readonly all: readonly Effect[]
  /** The effects of one step, in order of activation. */
  for<Name extends EffectStep>(step: Name): readonly (Effect & Required<Pick<Effect, Name>>)[]
}

/** The rules of an area that apply to all its operations. */
export interface AreaRules {
  readonly name: string
  /** The prefix of its paths: '' or '/v1'. */
  readonly base: string
  /** Whether a POST may carry an `Idempotency-Key`. */
  readonly hasIdempotencyKeys: boolean
  /** Checks rules of the whole area, such as unknown names. */
  check(exchange: Exchange, operation: Endpoint, input: Pick<Input<unknown>, 'query' | 'sent'>, refusal: Refusal): void
  /** Whether plan limits, and their headers, apply to this exchange. */
  isRateLimited(exchange: Pick<Exchange, 'assume'>): boolean
  /** Whether the reply carries X-Request-Id. */
  hasRequestId(exchange: Pick<Exchange, 'assume'>): boolean
  /** Converts an error to the area's error shape. */
  toErrorReply(exchange: Pick<Exchange, 'assume' | 'requestId'>, error: ApiError): Reply
}

/** One request in `dispatch`, with everything known about it so far. */
export interface Exchange {
  readonly world: CoreWorld
  readonly request: ServiceRequest
  readonly area: AreaRules
  /** The path below the area's base. */
  readonly path: string
  readonly overlay: Overlay
  /** When the request arrived, on the world's clock. */
  readonly now: number
  /** The key from the request, without a world's suffix; `undefined` without a key. */
  readonly secret: string | undefined
  readonly operation: Endpoint | undefined
  caller: Caller | undefined
  quota: Quota | undefined
  /** The ids of the assumptions that were read, with repeats. */
  readonly assumed: readonly string[]
  /** Returns the closest operations if none matched. */
  nearMisses: (() => NearMiss[]) | undefined
  /** Why the reply is an error, or was changed. */
  explanation: Explanation | undefined
  /** The effects that act on this request. */
  readonly effects: MatchedEffects
  /** The decision of every active effect. */
  readonly verdicts: Verdicts
  /** The value of X-Greenhouse before scenarios change the finished reply; `undefined` if the header is off. */
  trace: string | undefined
  /** The delay of the reply, in milliseconds. */
  delay: number
  /** Whether the reply repeats an earlier one with the same `Idempotency-Key`. */
  readonly isReplay: boolean
  /** `req_` and 16 characters; computed once per request. */
  readonly requestId: string
  /** Marks the reply as a replay. @param requestId the id in its body, if any; the header must have the same one. */
  repeats(requestId: string | undefined): void
  /** Emits an event to the world's listeners. @param app the app that it is about, if any. */
  emit(type: string, app: string | null, data: Readonly<Record<string, unknown>>): void
  /** Records that an effect changed something. */
  fire(effect: LayerEffect): void
  /** Returns the value of an assumption, and records that it shaped the reply. */
  assume<T extends Assumptions, Id extends keyof T & string>(assumptions: T, id: Id): T[Id]['values'][number]
  /** Whether a scenario replaces the records that this request sees. */
  isReplaced<T extends object>(definition: CollectionDefinition<T>): boolean
  /** Returns the records that this request sees: the world's, or those of a scenario. */
  collection<T extends object>(definition: CollectionDefinition<T>): CollectionStore<T>
}
