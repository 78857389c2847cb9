import type { Account } from '../accounts/accounts.ts'
import type { InlineScenario } from './inline.ts'
import type { NamedScenario } from './scenario-choice.ts'

/** In which ways a delivery to a webhook can go wrong. */
export const deliveryFaults = ['duplicate', 'late', 'out-of-order', 'stale-timestamp', 'bad-signature', 'lost'] as const

/** How a delivery goes wrong. */
export interface DeliveryFault {
  readonly kind: (typeof deliveryFaults)[number]
  /** How late, or how old, in milliseconds; 0 for kinds without a time. */
  readonly by: number
}

/** What is paid for: credits, a plan that costs more, or another period. */
export const chargeKinds = ['purchase', 'upgrade', 'renewal'] as const

export type ChargeKind = (typeof chargeKinds)[number]

/** How a charge fails: at once, or only after it was taken for pending. */
export const chargeOutcomes = ['declined', 'fails-later'] as const

export type ChargeOutcome = (typeof chargeOutcomes)[number]

/** A payment that an account is to make. */
export interface Charge {
  readonly kind: ChargeKind
  /** On the plan in force. */
  readonly account: Readonly<Account>
}

/** What an active scenario does in a world, whichever request it is that acts: what it does to requests is the pipeline's. */
export interface LayerEffect {
  /** The scenario that it belongs to. */
  readonly scenario: string
  /** Which one of the scenario's effects it is: `fault.0`. */
  readonly id: string
  /** The wire fault that needs a connection, if it has one. */
  readonly wireFault?: string
  /** Whether it has acted as often as it may; absent where nothing bounds that. */
  isUsedUp?(): boolean
  /** Assumptions that hold while it is active. */
  readonly assumptions?: Readonly<Record<string, string>>
  /** What goes wrong with a delivery that an event makes, as it is made; `undefined` where nothing does. */
  deliver?(type: string): DeliveryFault | undefined
  /** The outcome of a payment; `undefined` when it succeeds. The outcome is stored. */
  charge?(charge: Charge): ChargeOutcome | undefined
}

/** A scenario that was switched on: what it is called and what it does. */
export interface ActiveScenario {
  readonly name: string
  readonly options: Readonly<Record<string, unknown>>
  /** The scenario itself, when it is inline. */
  readonly inline: InlineScenario | undefined
  /** Its name and the options that are not as they are by default, as text: `rate-limited-plan:window=day`. */
  readonly text: string
  readonly effects: readonly LayerEffect[]
  /** How many bytes it remembers. */
  readonly bytes: number
  /** Whether another request may be answered with it too: it asks for no time and keeps nothing for one request alone. */
  readonly isReusable: boolean
  /** The same with counters of its own, for a snapshot. */
  fork(): ActiveScenario
}

/** What an effect remembers from request to request. */
export interface Memory<T = unknown> {
  /** What it takes, in bytes, roughly. */
  readonly bytes: number
  clone(): T
}

/** When and where a scenario is switched on. */
export interface ActivationContext {
  /** When, on the world's clock. */
  readonly now: number
  /** Seed of everything random: ids and faults. */
  readonly seed: number
  /** What its counters remember from an earlier time; without it they start anew. */
  readonly lasting?: Map<string, Memory>
}

/** Where worlds get scenarios from. */
export interface ScenarioSource {
  /** Switches a scenario on. @throws RangeError when there is none of that name or an option is wrong. */
  activate(scenario: NamedScenario, context: ActivationContext): ActiveScenario
  /** Reads a scenario that is given whole. @param toName makes a name for one without a title. @throws InlineScenarioError when it is wrong. */
  readInline(given: object, toName: () => string): NamedScenario
  /** Whether there is one of that name. */
  has(name: string): boolean
  /**
   * @param purpose what is to be done with it: `clear`.
   * @param others names that may have been meant besides its own.
   * @throws RangeError when there is none of that name.
   */
  assertKnown(name: string, purpose: string, others: readonly string[]): void
}
