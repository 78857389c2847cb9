import type { Account } from '../accounts/accounts.ts'
import type { CallerSource } from '../accounts/known-callers.ts'
import type { CoreInlineScenario } from './inline.ts'
import type { NamedScenario } from './scenario-choice.ts'

export const deliveryFaults = ['duplicate', 'late', 'out-of-order', 'stale-timestamp', 'bad-signature', 'lost'] as const

export interface DeliveryFault {
  readonly kind: (typeof deliveryFaults)[number]
  /** How late, or how old, in milliseconds; 0 for kinds without a time. */
  readonly by: number
}

export const chargeKinds = ['purchase', 'upgrade', 'renewal'] as const

export type ChargeKind = (typeof chargeKinds)[number]

export const chargeOutcomes = ['declined', 'fails-later'] as const

export type ChargeOutcome = (typeof chargeOutcomes)[number]

export interface Charge {
  readonly kind: ChargeKind
  readonly account: Readonly<Account>
}

/** What an active scenario does in a world, whatever the request. Its effects on requests belong to the pipeline. */
export interface LayerEffect {
  readonly scenario: string
  readonly id: string
  readonly kind?: string
  readonly wireFault?: string
  isUsedUp?(): boolean
  readonly assumptions?: Readonly<Record<string, string>>
  deliver?(type: string): DeliveryFault | undefined
  charge?(charge: Charge): ChargeOutcome | undefined
}

export interface CoreActiveScenario {
  readonly name: string
  readonly options: Readonly<Record<string, unknown>>
  readonly inline: CoreInlineScenario | undefined
  /** Its name and its non-default options, as a string: `rate-limited-plan:window=day`. */
  readonly text: string
  readonly effects: readonly LayerEffect[]
  readonly bytes: number
  /** Whether other requests may reuse it: it reads no time and keeps nothing for one request. */
  readonly isReusable: boolean
  fork(): CoreActiveScenario
}

export interface Memory<T = unknown> {
  readonly bytes: number
  clone(): T
}

export interface ActivationContext {
  /** The time of activation, on the world's clock. */
  readonly now: number
  readonly seed: number
  /** The earlier state of its counters; without it, they start again. */
  readonly lasting?: Map<string, Memory>
}

export interface ScenarioSource {
  activate(scenario: NamedScenario, context: ActivationContext, callers?: CallerSource): CoreActiveScenario
  /** Reads an inline scenario. @param toName returns a name for one without a title. @throws InlineScenarioError if it is invalid. */
  readInline(given: object, toName: () => string): NamedScenario
  has(name: string): boolean
  assertKnown(name: string, purpose: string, others: readonly string[]): void
}
