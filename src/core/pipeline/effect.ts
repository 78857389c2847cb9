import type { Account, Caller, Key, PlanName } from '../accounts/accounts.ts'
import type { ScenarioQuota } from '../accounts/rate-limit.ts'
import type { ApiError } from '../contract/errors.ts'
import type { Reply } from '../http/reply.ts'
import type { EffectDecision } from '../journal/journal-record.ts'
import type { CollectionDefinition } from '../store/collection.ts'
import type { CollectionStore } from '../store/records.ts'
import type { LayerActions, LayerEffect } from '../world/effective-settings.ts'
import type { Operation, WorldExchange } from './operation.ts'

/**
 * What an active scenario does to the requests that match. It never changes the world's data, but
 * for payments.
 *
 * Its life with a request: when the request arrives, it decides whether it acts (`decide`). If so,
 * it is among the `MatchedEffects` of the request. The pipeline then calls what it has for each step
 * (`RequestHooks`, `ReplyHooks`), in their order here. At the end its name and its words (`did`) go
 * into the reason of the reply, if it had a part in it.
 */
export interface Effect extends LayerEffect, EffectActions {
  /**
   * Decides whether it acts. It counts the request and may draw a random number, so it is called
   * once for each. Without it, the effect always acts. @param sender finds who seems to send it
   */
  decide?(exchange: MatchedExchange, sender: () => PresumedCaller | undefined): EffectDecision
  /** Decides the same about a request that nobody has sent, for a preview. It counts nothing. */
  wouldAct?(caller: PreviewedCaller): boolean
}

/** The content of an effect's file: its work, if it acts. */
export interface EffectActions extends LayerActions, RequestHooks, ReplyHooks {
  /** What it did, for the reason of the reply: `cut the body short`. */
  readonly did?: string | ((exchange: MatchedExchange) => string)
}

/** The work of an effect before the operation runs, or in its stead. */
interface RequestHooks {
  /** Returns a reply, and nothing else is done; or nothing, to leave the request to others. */
  respond?(exchange: MatchedExchange): Reply | undefined
  readonly keyChange?: KeyChange
  /** Returns the plan that the account has for this request. */
  changePlan?(account: Readonly<Account>): PlanName
  /** Holds what is left of the quota; otherwise the world's own counters do. */
  readonly quota?: ScenarioQuota
  /** Returns the records that the request sees; nothing if they are those of the world. */
  replaceCollection?<T extends object>(
    exchange: MatchedExchange,
    definition: CollectionDefinition<T>,
  ): CollectionStore<T> | undefined
}

/**
 * What becomes of the key of a request: it is lost on its way, the service does not know it, or it
 * is changed. A function that returns its argument itself leaves it as it is.
 */
export type KeyChange = 'lost' | 'unknown' | ((key: Readonly<Key>, now: number) => Readonly<Key>)

/** The work of an effect on the result of the operation, and on the finished reply. */
interface ReplyHooks {
  /** Changes the result of the operation. Returns `body` itself if it does not apply. */
  malform?(exchange: MatchedExchange, body: unknown): unknown
  /** True if `malform` changes equal results alike, so that what it made can be used again. */
  readonly isCacheable?: boolean
  /** Changes the finished reply. Returns `reply` itself if it does not apply. */
  transformReply?(exchange: MatchedExchange, reply: Reply): Reply
}

/** A request as effects see it: no operation may have its path, and nobody may know its key. */
export interface MatchedExchange extends WorldExchange {
  readonly area: { readonly name: string }
  /** The key from the request, without a world's suffix. */
  readonly secret: string | undefined
  readonly operation: Operation | undefined
  readonly caller: Caller | undefined
  /** The assumptions that were read so far. */
  readonly assumed: readonly string[]
  /** A key that the real service accepted. */
  acceptedKey: Readonly<Key> | undefined
  /** The journal's words for a scenario that let the request pass and changed no reply. */
  note: string | undefined
  delay: number
  toErrorReply(error: ApiError): Reply
}

/**
 * Who seems to send a request, before its key is checked: the account of the key, on the plan that
 * earlier effects put it on.
 */
export interface PresumedCaller {
  readonly key: Readonly<Key>
  readonly account: Readonly<Account>
}

/** Who would send a request that a preview asks about: an account, with any of its keys. */
export interface PreviewedCaller {
  readonly account: Readonly<Account>
  hasKey(secret: string): boolean
}

/**
 * The steps in the order of a request. `charge` takes part in those that pay something. It is
 * declared in `LayerActions`, as a renewal is charged without a request, too.
 */
const effectSteps = [
  'respond',
  'keyChange',
  'changePlan',
  'quota',
  'replaceCollection',
  'malform',
  'charge',
  'transformReply',
] as const

type EffectStep = (typeof effectSteps)[number]

type EffectWith<Step extends EffectStep> = Effect & {
  readonly [Name in Step]: NonNullable<Effect[Name]>
}

/**
 * The effects that act on a request, by the step at which they do. Requests with the same effects
 * share one.
 */
export class MatchedEffects {
  readonly all: readonly Effect[]
  /** Identifies the effects without keeping them alive. */
  readonly identity: object = {}
  readonly #bySteps: Readonly<Record<EffectStep, readonly Effect[]>>

  constructor(all: readonly Effect[]) {
    this.all = all
    const bySteps = effectSteps.map((step) => [
      step,
      all.filter((effect) => effect[step] !== undefined),
    ])
    this.#bySteps = Object.fromEntries(bySteps) as Record<EffectStep, Effect[]>
  }

  /** Returns those that have work at a step, in the order in which their scenarios were activated. */
  for<Step extends EffectStep>(step: Step): readonly EffectWith<Step>[] {
    return this.#bySteps[step] as readonly EffectWith<Step>[]
  }
}

export const noEffects = new MatchedEffects([])
