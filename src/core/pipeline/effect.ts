import type { Account, Caller, Key, PlanName } from '../accounts/accounts.ts'
import type { ScenarioQuota } from '../accounts/rate-limit.ts'
import type { ApiError } from '../contract/errors.ts'
import type { Reply } from '../http/reply.ts'
import type { EffectDecision } from '../journal/journal-record.ts'
import type { CollectionDefinition } from '../store/collection.ts'
import type { CollectionStore } from '../store/records.ts'
import type { LayerActions, LayerEffect } from '../world/effective-settings.ts'
import type { Operation, WorldExchange } from './operation.ts'

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
 * The apparent sender of a request, before its key is checked: the key's account, on its current
 * plan.
 */
export interface PresumedCaller {
  readonly key: Readonly<Key>
  readonly account: Readonly<Account>
}

export interface HypotheticalCaller {
  readonly account: Readonly<Account>
  hasKey(secret: string): boolean
}

/** The work of an effect before the operation runs, or in its stead. */
interface RequestHooks {
  /**
   * Replaces the key: `'unknown'` if the service does not know it, `'lost'` if it never arrives.
   */
  key?(key: Readonly<Key>, now: number): Readonly<Key> | 'unknown' | 'lost'
  plan?(account: Readonly<Account>): PlanName
  readonly quota?: ScenarioQuota
  collection?<T extends object>(
    exchange: MatchedExchange,
    definition: CollectionDefinition<T>,
  ): CollectionStore<T> | undefined
  /** Returns nothing if it leaves the request to others. */
  respond?(exchange: MatchedExchange): Reply | undefined
  /** True if it responds to paths and methods that no operation has, too. */
  readonly isForAnyPath?: boolean
}

/** The work of an effect on the result of the operation, and on the finished reply. */
interface ReplyHooks {
  /** Changes the result of the operation. Returns `body` itself if it does not apply. */
  malform?(exchange: MatchedExchange, body: unknown): unknown
  /** True if it changes equal results alike. */
  readonly isCacheable?: boolean
  transformReply?(exchange: MatchedExchange, reply: Reply): Reply
}

/** The content of an effect's file: its work, if it acts. */
export interface EffectActions extends LayerActions, RequestHooks, ReplyHooks {
  /** The words for its work in the reason. */
  readonly act?: string | ((exchange: MatchedExchange) => string)
}

/**
 * What an active scenario does to the requests that match. It never changes the world's data, but
 * for payments.
 */
export interface Effect extends LayerEffect, EffectActions {
  /** Decides once, when a request arrives, whether it acts; without this it always does. */
  decide?(exchange: MatchedExchange, sender: () => PresumedCaller | undefined): EffectDecision
  wouldAct?(caller: HypotheticalCaller): boolean
}

/** `charge` is declared in `LayerActions`: it acts without a request, too. */
const effectSteps = [
  'key',
  'plan',
  'quota',
  'collection',
  'respond',
  'malform',
  'charge',
  'transformReply',
] as const

type EffectStep = (typeof effectSteps)[number]

type EffectWith<Step extends EffectStep> = Effect & {
  readonly [Name in Step]: NonNullable<Effect[Name]>
}

/** The effects that act on a request, by the step at which they do. */
export class MatchedEffects {
  readonly all: readonly Effect[]
  /** Identifies the effects without keeping them alive. */
  readonly identity: object = {}
  readonly #bySteps: Readonly<Partial<Record<EffectStep, readonly Effect[]>>>

  constructor(all: readonly Effect[]) {
    this.all = all
    const used = effectSteps.filter((step) => all.some((effect) => effect[step] !== undefined))
    this.#bySteps = Object.fromEntries(
      used.map((step) => [step, all.filter((effect) => effect[step] !== undefined)]),
    )
  }

  for<Step extends EffectStep>(step: Step): readonly EffectWith<Step>[] {
    return (this.#bySteps[step] ?? none) as readonly EffectWith<Step>[]
  }
}

const none: readonly Effect[] = []

export const noEffects = new MatchedEffects(none)
