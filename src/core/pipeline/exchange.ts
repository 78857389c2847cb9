import type * as z from 'zod/mini'
import {
  type Account,
  type Caller,
  type Key,
  keys,
  type PlanName,
  type Scope,
} from '../accounts/accounts.ts'
import type {
  Limiter,
  Quota,
  Refill,
  Spender,
  WindowKind,
  WindowName,
} from '../accounts/rate-limit.ts'
import type { Assume, Assumptions, Provenance, Assuming } from '../contract/assumptions.ts'
import type { ApiError, ErrorCode, Explanation, ErrorHead } from '../contract/errors.ts'
import type { JsonSchema } from '../contract/json-schema.ts'
import type { Outcome, Reply } from '../http/reply.ts'
import type { ServiceRequest } from '../http/request.ts'
import type { WebhookTransport } from '../http/webhook-transport.ts'
import {
  type EffectDecision,
  type JournalRecord,
  type NearMiss,
  noVerdicts,
  type Verdicts,
} from '../journal/journal-record.ts'
import type { AnyCollection, CollectionDefinition } from '../store/collection.ts'
import type { CollectionStore } from '../store/records.ts'
import type { EffectiveSettings, LayerEffect } from '../world/effective-settings.ts'
import type { PendingWork } from '../world/pending.ts'
import type { AreaLifecycle, CoreWorld, WorldEventListener } from '../world/world.ts'
import type { QueryParameters } from './query.ts'

/**
 * The apparent sender of a request, before its key is checked: the key's account, on its current
 * plan.
 */
export type PresumedCaller = Pick<Caller, 'key' | 'account'>

export interface HypotheticalCaller {
  readonly account: Readonly<Account>
  hasKey(secret: string): boolean
}

/**
 * What an active scenario does to the requests that match. It never changes the world's data, but
 * for payments.
 */
export interface Effect extends LayerEffect {
  readonly act?: string | ((exchange: Exchange) => string)
  /** Decides once, when a request arrives, whether it acts; without this it always does. */
  decide?(exchange: Exchange, sender: () => PresumedCaller | undefined): EffectDecision
  wouldAct?(caller: HypotheticalCaller): boolean
  /**
   * Replaces the key: `'unknown'` if the service does not know it, `'lost'` if it never arrives.
   */
  key?(key: Readonly<Key>, now: number): Readonly<Key> | 'unknown' | 'lost'
  plan?(account: Readonly<Account>): PlanName
  limiter?(spender: Spender, below: Limiter): Limiter
  previewLimiter?(spender: Spender, below: Limiter): Limiter
  refill?(budget: string, window?: WindowName): void
  refills?(kind: WindowKind, now: number): readonly Refill[]
  collection?<T extends object>(
    exchange: Exchange,
    definition: CollectionDefinition<T>,
  ): CollectionStore<T> | undefined
  /** Returns nothing if it leaves the request to others. */
  respond?(exchange: Exchange): Reply | undefined
  /** True if it responds to paths and methods that no operation has, too. */
  readonly isForAnyPath?: boolean
  /** Changes the result of the operation. Returns `body` itself if it does not apply. */
  malform?(exchange: Exchange, body: unknown): unknown
  readonly isCacheable?: boolean
  transformReply?(exchange: Exchange, reply: Reply): Reply
}

export const effectSteps = [
  'key',
  'plan',
  'limiter',
  'collection',
  'respond',
  'malform',
  'charge',
  'transformReply',
] as const

export type EffectStep = (typeof effectSteps)[number]

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

  for<Step extends EffectStep>(step: Step): readonly (Effect & Required<Pick<Effect, Step>>)[] {
    return (this.#bySteps[step] ?? none) as never
  }
}

const none: readonly Effect[] = []

const noEffects = new MatchedEffects(none)

export interface Area {
  readonly name: string
  readonly base: string
  readonly hasIdempotencyKeys: boolean
  isRateLimited(exchange: Assuming): boolean
  hasRequestId(exchange: Assuming): boolean
  toErrorReply(exchange: Assuming & { readonly requestId: string }, error: ApiError): Reply
  readonly title: string
  readonly version: string
  readonly operations: readonly Operation[]
  readonly collections: Readonly<Record<string, Pick<AnyCollection, 'name'>>>
  readonly assumptions: Assumptions
  readonly schemas: Readonly<Record<string, z.ZodMiniType>>
  readonly eventSchemas: Readonly<Record<string, z.ZodMiniType>>
  readonly eventTypes?: readonly string[]
  readonly deliveries?: {
    /** Creates the transport for a Greenhouse without a server. */
    readonly createTransport: (
      hosts: readonly string[],
      isIntercepted: () => boolean,
    ) => WebhookTransport
    /** The transport after all servers have closed: it rejects every delivery. */
    readonly closedTransport: WebhookTransport
  }
  readonly errorSchema: z.ZodMiniType
  toStatus(error: ErrorHead, exchange: Assuming): number
  rejectsUnknownFields(exchange: Assuming): boolean
  rejectsUnknownQuery(exchange: Assuming): boolean
  keepsUnknownFields?(exchange: Assuming): boolean
  longestText?(exchange: Assuming): number
  readonly idSchema: JsonSchema
  /** The prefixes of ids, by the names of parameters and fields: that of `app_id` is `app`. */
  readonly idPrefixes?: Readonly<Record<string, string>>
  readonly unknownId?: ErrorCode | undefined
  readonly listen?: WorldEventListener
  readonly lifecycles?: readonly AreaLifecycle[]
  /** Scheduled work that records cause without a request: those of fixtures, for example. */
  readonly pending?: readonly PendingWork[]
  /** Converts an error of a request that reached no world, so no assumptions apply. */
  toRejectionReply(error: ApiError, requestId: string): Reply
}

/** A source of records: a world, or a request, whose scenarios replace some. */
export interface StoreSource {
  collection<T extends object>(definition: CollectionDefinition<T>): CollectionStore<T>
}

export class Exchange {
  readonly world: CoreWorld
  readonly request: ServiceRequest
  readonly area: Area
  readonly path: string
  readonly effectiveSettings: EffectiveSettings
  readonly now: number
  /** The key from the request, without a world's suffix. */
  readonly secret: string | undefined
  operation: Operation | undefined
  caller: Caller | undefined
  /**
   * A key that the real service accepted. Its account is created where the fixtures lack the key.
   */
  accepted: Readonly<Key> | undefined
  quota: Quota | undefined
  readonly assumed: string[] = []
  nearMisses: (() => NearMiss[]) | undefined
  explanation: Explanation | undefined
  /** The origin of the real service that answered. */
  answeredBy: string | undefined
  /** The words of an effect about a request that it left alone, for the reason. */
  note: string | undefined
  replyViolations: JournalRecord['replyViolations']
  effects: MatchedEffects = noEffects
  verdicts: Verdicts = noVerdicts
  /**
   * The value of X-Greenhouse before scenarios change the finished reply; `undefined` if the header
   * is off.
   */
  trace: string | undefined
  delay = 0
  isReplay = false
  #requestId: string | undefined

  constructor(
    world: CoreWorld,
    request: ServiceRequest,
    target: Pick<Exchange, 'area' | 'path' | 'secret'>,
    effectiveSettings: EffectiveSettings,
  ) {
    this.world = world
    this.request = request
    this.area = target.area
    this.path = target.path
    this.effectiveSettings = effectiveSettings
    this.secret = target.secret
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

  /**
   * Marks the reply as a replay. @param requestId the id in its body, if any; the header must have
   * the same one.
   */
  repeats(requestId: string | undefined): void {
    this.isReplay = true
    if (requestId !== undefined) this.#requestId = requestId
  }

  arrive(operation: Operation | undefined, runner: ScenarioRunner | undefined): void {
    this.operation = operation
    if (this.effectiveSettings.effects.length === 0) return
    const { effects, verdicts } = runner!.match(this)
    this.effects = effects
    this.verdicts = verdicts
  }

  emit(type: string, app: string | null, data: Readonly<Record<string, unknown>>): void {
    this.world.emit(
      { type, at: this.now, account: this.caller!.account.id, app, data },
      this.effectiveSettings,
    )
  }

  fire(effect: LayerEffect): void {
    this.verdicts.fire(this.effectiveSettings.effects.indexOf(effect))
  }

  assume<T extends Assumptions, Id extends keyof T & string>(
    _assumptions: T,
    id: Id,
  ): T[Id]['values'][number] {
    this.assumed.push(id)
    const switched = this.effectiveSettings.switched?.get(id)
    if (switched) this.fire(switched)
    return this.effectiveSettings.assumptions.get(id)!
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

/** A request whose key was checked. Operations get no other. */
export interface AuthenticatedExchange extends Exchange {
  caller: Caller
}

export function withoutRequest(
  world: CoreWorld,
): Pick<Exchange, 'world' | 'collection' | 'assume'> {
  return {
    world,
    collection: (definition) => world.collection(definition),
    assume: (_assumptions, id) => world.effectiveSettings.assumptions.get(id)!,
  }
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Input<Body> {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Body
  /** The JSON object as the client sent it, unknown fields included. */
  readonly sent: Readonly<Record<string, unknown>>
}

export type DeclaredError = ErrorCode | readonly [code: ErrorCode, status: number]

export interface Operation<Body = unknown> {
  readonly id: string
  readonly method: Method
  readonly path: string
  readonly title: string
  readonly source: Provenance
  readonly scope: Scope | 'any'
  readonly isOwn?: true
  /** Parameters of its path that are not ids of the area, by name. */
  readonly params?: QueryParameters
  readonly query?: QueryParameters
  readonly queryUnder?: (assume: Assume) => QueryParameters
  readonly body?: z.ZodMiniType<Body>
  readonly bodyUnder?: (assume: Assume) => Readonly<Record<string, JsonSchema>>
  readonly exclusive?: readonly [string, string]
  readonly bodyIsOptional?: boolean
  readonly result?: z.ZodMiniType
  readonly resultUnder?: (assume: Assume) => z.ZodMiniType
  readonly statuses?: (assume: Assume) => readonly number[]
  readonly example?: Readonly<Record<string, unknown>>
  readonly stream?: (assume: Assume) => {
    readonly status: number
    readonly events: Readonly<Record<string, z.ZodMiniType>>
  }
  readonly errors?: (assume: Assume) => readonly DeclaredError[]
  /**
   * True if it may change the world. Such an operation runs as a transaction: if it throws, nothing
   * has changed.
   */
  readonly writes: boolean
  /**
   * Runs the operation in one synchronous step: nothing happens between a check and the write after
   * it. Throws an `ApiError` on refusal.
   */
  handle(exchange: AuthenticatedExchange, input: Input<Body>): Outcome
}

export interface ScenarioRunner {
  match(exchange: Exchange): { effects: MatchedEffects; verdicts: Verdicts }
  malform(exchange: Exchange, outcome: Outcome): MalformedResult
  transformReply(exchange: Exchange, reply: Reply): Reply
  explain(exchange: Exchange): void
}

export interface MalformedResult {
  readonly text: string
  readonly length: number
  readonly changedBy: readonly number[]
}

const longestNames = 400

/**
 * `world=default; operation=plants.list; scenario=slow; idle=expired-key`: `idle` are those that
 * did not act.
 */
export function toTrace({ world, operation, effectiveSettings, verdicts }: Exchange): string {
  const trace = `world=${world.name}${operation ? `; operation=${operation.id}` : ''}`
  const active = effectiveSettings.scenarioNames
  if (active.length === 0) return trace
  const changing = verdicts.acted()
  const acted = active.filter((name) => changing.includes(name))
  const idle = active.filter((name) => !acted.includes(name))
  return `${trace}${acted.length > 0 ? `; scenario=${toNames(acted)}` : ''}${idle.length > 0 ? `; idle=${toNames(idle)}` : ''}`
}

function toNames(names: readonly string[]): string {
  let text = ''
  for (const [index, name] of names.entries()) {
    const next = text === '' ? name : `${text},${name}`
    if (next.length > longestNames)
      return `${text === '' ? '' : `${text},`}+${names.length - index}`
    text = next
  }
  return text
}
