import * as z from 'zod/mini'
import { cached } from '../../core/contract/cache.ts'
import {
  type CallerSource,
  describeMissingAccount,
  describeMissingKey,
  planNames,
} from '../../core/accounts/accounts.ts'
import { toFilter, type ValueTest } from '../../core/contract/expected.ts'
import { givenOf } from '../../core/contract/options.ts'
import { countTimes } from '../../core/text/messages.ts'
import { globFilter } from '../../core/text/values.ts'
import type { EffectDecision } from '../../core/journal/journal-record.ts'
import type { Effect, PreviewedCaller } from '../../core/pipeline/effect.ts'
import type { Contract } from '../../core/pipeline/area.ts'
import type { Finding } from '../../core/store/validation-message.ts'
import { createRandom, type Random } from '../../core/time/random.ts'
import type { ActivationContext, EffectState } from '../../core/world/effective-settings.ts'
import { optional } from '../../core/contract/zod.ts'
import { oneOrMore } from './fields.ts'

const on = optional(
  oneOrMore(
    z.string(),
    'expected the id of an operation, a glob such as "plants.*", or a list of them',
  ),
  'Which operations: an id (plants.list), a glob (apps.*), or a list of them. All by default.',
)

export const planCondition = optional(
  z.enum(['any', ...planNames]),
  'The plan that the account is on.',
)

export const accountCondition = optional(z.string(), 'The id of the account.')

const where = optional(
  z.strictObject({
    plan: planCondition,
    account: accountCondition,
    key: optional(z.string(), 'The key itself, without the suffix "@world".'),
  }),
  'Which callers: those that match every given field. All by default.',
)

export const limitConditions = {
  times: optional(z.int().check(z.positive()), 'The most times it acts. No limit by default.'),
  after: optional(
    z.int().check(z.nonnegative()),
    'How many matching requests it lets pass first. 0 by default.',
  ),
  every: optional(
    z.int().check(z.positive()),
    'It acts on every nth matching request: 3 means every 3rd.',
  ),
  probability: optional(
    z.number().check(z.gte(0), z.lte(1)),
    "The probability that it acts, from 0 to 1. The world's seed decides.",
  ),
}

export const conditions = {
  on,
  where,
  ...limitConditions,
}

/** The conditions that can be added when a scenario is switched on. */
export const conditionNames = ['on', 'account', 'key', 'plan', 'times'] as const

export type ConditionName = (typeof conditionNames)[number]

export type Conditions = z.output<z.ZodMiniObject<typeof conditions>>

type Where = Conditions['where']

/** Returns what a condition expects, without the fields for which any value will do. */
function givenConditions<Condition extends object>(condition: Condition): Partial<Condition> {
  const given = Object.entries(givenOf(condition)).filter(([, value]) => value !== 'any')
  return Object.fromEntries(given) as Partial<Condition>
}

/** Returns a function that tests whether an account has the plan and the id of a `where`. */
export function accountFilter(where: NonNullable<Where> = {}): ValueTest {
  const { plan, account } = givenConditions(where)
  return toFilter({
    plan,
    id: account,
  })
}

function callerFilter({ key = 'any', ...where }: NonNullable<Where> = {}) {
  const matchesAccount = accountFilter(where)
  return ({ account, hasKey }: PreviewedCaller) =>
    matchesAccount(account) && (key === 'any' || hasKey(key))
}

/** Reports accounts and keys in `where` that a world does not have: the effect would never act. */
export function checkCallers(kind: string, spec: unknown, callers: CallerSource): Finding[] {
  if (!Array.isArray(spec)) return []
  return spec.flatMap(({ where: { account = 'any', key = 'any' } = {} }: Conditions, index) => {
    const findings: Finding[] = []
    const add = (field: string, message: string | undefined) =>
      message &&
      findings.push({
        path: [kind, index, 'where', field],
        message,
      })
    if (account !== 'any') add('account', describeMissingAccount(callers, account))
    if (key !== 'any') add('key', describeMissingKey(callers, key))
    return findings
  })
}

/** The reach of an effect without `on`: `everything` includes paths that no operation has. */
export type ActsOn = 'operations' | 'everything'

const otherOperations: EffectDecision = {
  due: false,
  why: 'it acts on other operations',
}
const otherCallers: EffectDecision = {
  due: false,
  why: 'it acts on other callers',
}
const otherRequests: EffectDecision = {
  due: false,
  why: 'it acts on other requests',
}

/**
 * Returns a function that decides whether an effect acts on a request. Call it for each request, in
 * order of arrival.
 */
export function createTrigger(
  conditions: Conditions,
  count: () => EffectDecision,
  actsOn: ActsOn,
): Required<Effect>['decide'] {
  const matchesOperation = globFilter(conditions.on)
  const matchesCaller = callerFilter(conditions.where)
  // Nobody needs to find the sender where there is no condition.
  const isForAnyCaller = Object.keys(givenConditions(conditions.where ?? {})).length === 0
  const needsOperation = actsOn === 'operations' || conditions.on !== undefined
  return ({ operation }, sender) => {
    if (needsOperation && (!operation || !matchesOperation(operation.id))) return otherOperations
    if (isForAnyCaller) return count()
    const caller = sender()
    if (!caller) return otherCallers
    const hasKey = (secret: string) => secret === caller.key.secret
    if (matchesCaller({ ...caller, hasKey })) return count()
    return otherCallers
  }
}

const describeMatch = (count: number) => `matching request ${count}`

/**
 * Returns a function that decides whether the limits let an effect act on a matching request; the
 * first has the count 1.
 */
function createLimitCheck({ times = Infinity, after = 0, every = 1, probability = 1 }: Conditions) {
  // Reasons are functions of the count, because most reasons are never read.
  const describePassing = (count: number) =>
    `the first ${after === 1 ? 'request passes' : `${after} requests pass`}, and this is number ${count}`
  const describeBetween = (count: number) =>
    `it acts on every ${toOrdinal(every)} request, and this is number ${count - after}`
  const usedUp: EffectDecision = {
    due: false,
    why: `it acts ${countTimes(times)}, and already did`,
  }
  const skippedByChance: EffectDecision = {
    due: false,
    why: `chance let it pass: it acts with a probability of ${probability}`,
  }
  return (count: number, acted: number, random: Random): EffectDecision => {
    if (count <= after)
      return {
        due: false,
        why: describePassing,
        count,
      }
    if ((count - after) % every !== 0)
      return {
        due: false,
        why: describeBetween,
        count,
      }
    if (times === 0) return otherRequests
    if (acted >= times) return usedUp
    if (random.next() >= probability) return skippedByChance
    return {
      due: true,
      why: describeMatch,
      count,
    }
  }
}

/** Returns a function that counts a matching request, and decides whether an effect acts on it. */
export function createCountedCheck(limits: Conditions, counter: Counter): () => EffectDecision {
  const decide = createLimitCheck(limits)
  return () => {
    const decision = decide(++counter.matched, counter.acted, counter.random)
    if (decision.due) counter.acted++
    return decision
  }
}

/** Returns a function that decides about the next request of a caller, and counts nothing. */
export function createPreview(
  conditions: Conditions,
  counter: Counter,
): Required<Effect>['wouldAct'] {
  const matchesCaller = callerFilter(conditions.where)
  return (caller) =>
    matchesCaller(caller) &&
    createLimitCheck(conditions)(counter.matched + 1, counter.acted, counter.random.fork()).due
}

function toOrdinal(number: number): string {
  // 11th, 12th and 13th do not end like 1st, 2nd and 3rd.
  const isTeen = Math.floor((number % 100) / 10) === 1
  return `${number}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th'}`
}

/** How many requests matched the conditions of an effect, and on how many it acted. */
class Counter implements EffectState<Counter> {
  matched = 0
  acted = 0
  readonly bytes = 600
  readonly random: Random

  constructor(random: Random) {
    this.random = random
  }

  clone(): Counter {
    const copy = new Counter(this.random.fork())
    copy.matched = this.matched
    copy.acted = this.acted
    return copy
  }
}

/** A scenario that is being switched on: what its effects are created with, and what they keep. */
export class Activation {
  readonly scenario: string
  readonly contract: Contract
  readonly context: ActivationContext
  readonly #states: Map<string, EffectState>
  #isReusable = true

  constructor(
    scenario: string,
    contract: Contract,
    context: ActivationContext,
    own = new Map<string, EffectState>(),
  ) {
    this.scenario = scenario
    this.contract = contract
    this.context = context
    this.#states = own
  }

  get now(): number {
    // An option that read the time would be another scenario for a later request.
    this.#isReusable = false
    return this.context.now
  }

  /** Returns what an effect keeps as long as the scenario is active: for one request in a header. */
  activationState<T extends EffectState<T>>(id: string, make: () => T): T {
    this.#isReusable = false
    return cached<string, EffectState>(this.#states, id, make) as T
  }

  /**
   * Returns the memory of an effect between requests, even if each request names the scenario in a
   * header.
   */
  persistentState<T extends EffectState<T>>(id: string, make: () => T): T {
    const states = this.context.persistentStates ?? this.#states
    return cached<string, EffectState>(states, id, make) as T
  }

  /**
   * Returns the counter of an effect. Its random numbers depend only on the seed, the scenario and
   * the effect.
   */
  counter(id: string): Counter {
    return this.persistentState(
      `counter ${id}`,
      () => new Counter(createRandom(this.context.seed, `scenario ${this.scenario} ${id}`)),
    )
  }

  get isReusable(): boolean {
    return this.#isReusable
  }

  get bytes(): number {
    let bytes = 0
    for (const state of this.#states.values()) bytes += state.bytes
    return bytes
  }

  fork(): Activation {
    const own = new Map(
      Array.from(this.#states, ([id, state]) => [id, state.clone() as EffectState]),
    )
    return new Activation(this.scenario, this.contract, this.context, own)
  }
}
