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
import type { Records } from '../store/records.ts'
import type { LayerEffect } from '../world/layer.ts'
import type { Overlay } from '../world/overlay.ts'
import type { World } from '../world/world.ts'
import type { Decision } from './decision.ts'
import type { Endpoint, Input } from './endpoint.ts'
import type { Refusal } from './refusal.ts'
import type { Verdicts } from './verdicts.ts'

/** Whom a request seems to come from, before its key is looked at: the key's own account, on the plan in force. */
export interface Sender {
  readonly key: Readonly<Key>
  readonly account: Readonly<Account>
}

/** Whom a request may come from that nobody sent yet. */
export interface Prospect {
  /** On the plan in force. */
  readonly account: Readonly<Account>
  /** Whether it may come with this key. */
  hasKey(secret: string): boolean
}

/**
 * What an active scenario does to the requests that it applies to. Every member but the names is optional; none of them
 * touches the world's data, so that clearing the scenario is enough to be back. What came of a payment that failed is
 * data: a fault of the payment provider happens in the world, not between it and the client.
 */
export interface Effect extends LayerEffect {
  /** What it does to a reply, for the log and the journal: 'answered instead'. */
  readonly act?: string | ((exchange: Exchange) => string)
  /** Decides, once, as a request arrives, whether it acts on it; without this it always does. */
  decide?(exchange: Exchange, sender: () => Sender | undefined): Decision
  /** Whether it would act on the next request, of an operation that it is meant for; without this it always would. Nothing is counted. */
  foresees?(prospect: Prospect): boolean
  /** The key as it is while it is active; `'unknown'` when the service does not know it, `'lost'` when it never arrives. */
  key?(key: Readonly<Key>, now: number): Readonly<Key> | 'unknown' | 'lost'
  /** The plan that the account is on while it is active. */
  plan?(account: Readonly<Account>): PlanName
  /** The counter that requests are counted by while it is active; without it they would be by the one `below`. */
  limiter?(spender: Spender, below: Limiter): Limiter
  /** The same before a request came, as the next one would find it; nothing is kept of that. */
  foreseenLimiter?(spender: Spender, below: Limiter): Limiter
  /** Forgets what its own counter counted of a budget, in one window or in both. */
  refill?(budget: string, window?: WindowName): void
  /** The windows that its own counter counts in now, and when each refills. */
  refills?(kind: WindowKind, now: number): readonly Refill[]
  /** The records that requests see in place of the world's. */
  collection?<T extends object>(exchange: Exchange, definition: CollectionDefinition<T>): Records<T> | undefined
  /** The reply that it gives before anything is done. */
  respond?(exchange: Exchange): Reply
  /** The result as it leaves while it is active. Returns `body` itself when it does not apply. */
  malform?(exchange: Exchange, body: unknown): unknown
  /** Whether the result of `malform` depends only on the operation and the body, so that it can be cached. */
  readonly malformsAlike?: boolean
  /** The finished reply as it leaves while it is active. Returns `reply` itself when it does not apply. */
  distort?(exchange: Exchange, reply: Reply): Reply
}

/** The steps at which effects act on a request. */
export type Step = 'key' | 'plan' | 'limiter' | 'collection' | 'respond' | 'malform' | 'charge' | 'distort'

/** The effects that act on one request, by the step that they act at. */
export interface MatchedEffects {
  /** Tells them from others, for what is kept longer than they are. */
  readonly identity: object
  /** All of them, in the order of their activation. */
  readonly all: readonly Effect[]
  /** Those that act at a step, in the order of their activation. */
  for<Name extends Step>(step: Name): readonly (Effect & Required<Pick<Effect, Name>>)[]
}

/** How an area answers, whatever the operation. */
export interface AreaRules {
  readonly name: string
  /** The path that its operations stand below: '' or '/v1'. */
  readonly base: string
  /** Whether a POST may carry an `Idempotency-Key`. */
  readonly hasIdempotencyKeys: boolean
  /** Notes what the area takes of no request, whatever the operation says: names that nobody knows, say. */
  check(exchange: Exchange, operation: Endpoint, input: Pick<Input<unknown>, 'query' | 'sent'>, refusal: Refusal): void
  /** Whether plan limits, and the headers that tell of them, apply to this exchange. */
  isRateLimited(exchange: Pick<Exchange, 'assume'>): boolean
  /** Whether the reply carries X-Request-Id. */
  hasRequestId(exchange: Pick<Exchange, 'assume'>): boolean
  /** An error in the area's own shape. */
  toErrorReply(exchange: Pick<Exchange, 'assume' | 'requestId'>, error: ApiError): Reply
}

/** One request on its way through `dispatch`, and what became known of it. */
export interface Exchange {
  readonly world: World
  readonly request: ServiceRequest
  readonly area: AreaRules
  /** The path below the area's base. */
  readonly path: string
  readonly overlay: Overlay
  /** When the request came, on the world's clock. */
  readonly now: number
  /** The key that was sent, without a world's suffix; `undefined` when there was none. */
  readonly secret: string | undefined
  readonly operation: Endpoint | undefined
  caller: Caller | undefined
  quota: Quota | undefined
  /** The assumptions that were asked for, repeats included. */
  readonly assumed: readonly string[]
  /** Where no operation was found: gives the closest ones. */
  nearMisses: (() => NearMiss[]) | undefined
  /** Why the reply is not what the client hoped for. */
  explanation: Explanation | undefined
  /** The effects that act on it. */
  readonly effects: MatchedEffects
  /** What every effect of the active scenarios decided. */
  readonly verdicts: Verdicts
  /** The value of X-Greenhouse before scenarios changed the finished reply; `undefined` when it is not sent. */
  trace: string | undefined
  /** How long the reply is held back, in milliseconds. */
  delay: number
  /** Whether the reply is the one that an earlier request with the same `Idempotency-Key` got. */
  readonly isReplay: boolean
  /** `req_` and 16 characters, the same however often it is asked for. */
  readonly requestId: string
  /** Notes that the reply is an earlier request's. @param requestId the one that its body names, if it names one: its header is to say the same. */
  repeats(requestId: string | undefined): void
  /** Tells the world's listeners that something happened to the caller. @param app the app that it happened to, if it was one. */
  emit(type: string, app: string | null, data: Readonly<Record<string, unknown>>): void
  /** Notes that an effect changed something. */
  fire(effect: LayerEffect): void
  /** The value of an assumption, which is noted as one that shaped the reply. */
  assume<T extends Assumptions, Id extends keyof T & string>(assumptions: T, id: Id): T[Id]['values'][number]
  /** Whether the request sees records of a scenario in place of the world's. */
  pretends<T extends object>(definition: CollectionDefinition<T>): boolean
  /** The records of a collection as this request sees them: the world's, unless a scenario has its own. */
  collection<T extends object>(definition: CollectionDefinition<T>): Records<T>
}
