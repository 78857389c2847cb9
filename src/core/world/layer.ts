import type { Account } from '../accounts/accounts.ts'
import type { CallerSource } from '../accounts/known-callers.ts'
import type { CoreInlineScenario } from './inline.ts'
import type { NamedScenario } from './scenario-choice.ts'

/** The ways in which a webhook delivery can go wrong. */
export const deliveryFaults = ['duplicate', 'late', 'out-of-order', 'stale-timestamp', 'bad-signature', 'lost'] as const

export interface DeliveryFault {
  readonly kind: (typeof deliveryFaults)[number]
  /** How late, or how old, in milliseconds; 0 for kinds without a time. */
  readonly by: number
}

/** The purpose of a charge: credits, a more expensive plan, or another period. */
export const chargeKinds = ['purchase', 'upgrade', 'renewal'] as const

export type ChargeKind = (typeof chargeKinds)[number]

/** How a charge fails: immediately, or later while it is pending. */
export const chargeOutcomes = ['declined', 'fails-later'] as const

export type ChargeOutcome = (typeof chargeOutcomes)[number]

/** A payment of an account. */
export interface Charge {
  readonly kind: ChargeKind
  /** The account, on its current plan. */
  readonly account: Readonly<Account>
}

/** What an active scenario does in a world, whatever the request. Its effects on requests belong to the pipeline. */
export interface LayerEffect {
  readonly scenario: string
  /** Its id within the scenario: `fault.0`. */
  readonly id: string
  /** The kind of effect, among those of the scenario file's member: `delay`, `extra`, `lost`. */
  readonly kind?: string
  /** The name of a fault that needs a connection, if any. */
  readonly wireFault?: string
  /** Whether it has reached its `times`; absent without such a limit. */
  isUsedUp?(): boolean
  /** Assumptions that apply while it is active. */
  readonly assumptions?: Readonly<Record<string, string>>
  /** Returns the fault of a new delivery; `undefined` without one. */
  deliver?(type: string): DeliveryFault | undefined
  /** Returns how a payment fails, which is stored; `undefined` if it succeeds. */
  charge?(charge: Charge): ChargeOutcome | undefined
}

/** An active scenario: its name and its effects. */
export interface CoreActiveScenario {
  readonly name: string
  readonly options: Readonly<Record<string, unknown>>
  /** The scenario itself, when it is inline. */
  readonly inline: CoreInlineScenario | undefined
  /** Its name and its non-default options, as a string: `rate-limited-plan:window=day`. */
  readonly text: string
  readonly effects: readonly LayerEffect[]
  /** The bytes of its memory. */
  readonly bytes: number
  /** Whether other requests may reuse it: it reads no time and keeps nothing for one request. */
  readonly isReusable: boolean
  /** Returns an independent copy, for a snapshot. */
  fork(): CoreActiveScenario
}

/** The memory of an effect between requests. */
export interface Memory<T = unknown> {
  /** Its approximate size, in bytes. */
  readonly bytes: number
  clone(): T
}

/** What an activation depends on: the time, the seed and earlier counters. */
export interface ActivationContext {
  /** The time of activation, on the world's clock. */
  readonly now: number
  /** The seed of everything random: ids and faults. */
  readonly seed: number
  /** The earlier state of its counters; without it, they start again. */
  readonly lasting?: Map<string, Memory>
}

/** The source of a world's scenarios. */
export interface ScenarioSource {
  /**
   * Activates a scenario. @param callers has the accounts and keys that it may name; by default any. @throws RangeError for
   * an unknown scenario, account or key, or an invalid option.
   */
  activate(scenario: NamedScenario, context: ActivationContext, callers?: CallerSource): CoreActiveScenario
  /** Reads an inline scenario. @param toName returns a name for one without a title. @throws InlineScenarioError if it is invalid. */
  readInline(given: object, toName: () => string): NamedScenario
  has(name: string): boolean
  /**
   * @param purpose what the caller wants to do with it: `clear`. @param others other names that may have been meant.
   * @throws RangeError for an unknown name.
   */
  assertKnown(name: string, purpose: string, others: readonly string[]): void
}
