import type { Account, Key } from '../accounts/accounts.ts'
import type { Caller } from '../pipeline/authenticate.ts'
import type { CollectionDefinition } from '../store/collection.ts'
import type { EventType } from '../definitions/events.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import type { PlanName } from '../accounts/plans.ts'
import type { Limiter } from '../accounts/rate-limit.ts'
import type { Records } from '../store/records.ts'
import type { Reply } from '../http/reply.ts'

/** Whom a request seems to come from, before its key is looked at: the key's own account, on the plan in force. */
export interface Sender {
  readonly key: Readonly<Key>
  readonly account: Readonly<Account>
}

/** Whether an effect acts on a request, and why. */
export interface Decision {
  readonly due: boolean
  readonly why: string
}

/** In which ways a delivery to a webhook can go wrong. */
export const deliveryFaults = ['duplicate', 'late', 'out-of-order', 'stale-timestamp', 'bad-signature', 'lost'] as const

/** How a delivery goes wrong. */
export interface DeliveryFault {
  readonly kind: (typeof deliveryFaults)[number]
  /** By how much, in milliseconds, where it is a matter of time. */
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

/**
 * What an active scenario does to the requests that it applies to. Every member but the names is optional; none of them
 * touches the world's data, so that clearing the scenario is enough to be back. What came of a payment that failed is
 * data: a fault of the payment provider happens in the world, not between it and the client.
 */
export interface Effect {
  /** The scenario that it belongs to. */
  readonly scenario: string
  /** Which one of the scenario's effects it is: `fault.0`. */
  readonly id: string
  /** The wire fault that only a connection of its own can show, if it is one. */
  readonly wireFault?: string
  /** What it does to a reply, for the log and the journal: 'answered instead'. */
  readonly act?: string | ((exchange: Exchange) => string)
  /** Assumptions that hold while it is active. */
  readonly assumptions?: Readonly<Record<string, string>>
  /** Decides, once, as a request arrives, whether it acts on it; without this it always does. */
  decide?(exchange: Exchange, sender: Sender | undefined): Decision
  /** The key as it is while it is active; `'unknown'` when the service does not know it, `'lost'` when it never arrives. */
  key?(key: Readonly<Key>, now: number): Readonly<Key> | 'unknown' | 'lost'
  /** The plan that the account is on while it is active. */
  plan?(account: Readonly<Account>): PlanName
  /** The counter that the caller's requests spend from while it is active. */
  limiter?(exchange: Exchange, caller: Caller): Limiter | undefined
  /** The records that requests see in place of the world's. */
  collection?<T extends object>(exchange: Exchange, definition: CollectionDefinition<T>): Records<T> | undefined
  /** The reply that it gives before anything is done. */
  respond?(exchange: Exchange): Reply
  /** The result as it leaves while it is active. Returns `body` itself when it does not apply. */
  malform?(exchange: Exchange, body: unknown): unknown
  /** What goes wrong with a delivery that an event makes, as it is made; `undefined` where nothing does. */
  deliver?(type: EventType): DeliveryFault | undefined
  /** What comes of a payment; `undefined` where it succeeds. It is the outcome of something that happened, and so it is stored. */
  charge?(charge: Charge): ChargeOutcome | undefined
  /** The finished reply as it leaves while it is active. Returns `reply` itself when it does not apply. */
  distort?(exchange: Exchange, reply: Reply): Reply
}

/** A scenario that was switched on: what it is called and what it does. */
export interface ActiveScenario {
  readonly name: string
  readonly options: Readonly<Record<string, unknown>>
  /** Its name and the options that are not as they are by default, as text: `rate-limited-plan:window=day`. */
  readonly text: string
  readonly effects: readonly Effect[]
  /** What it remembers takes so many bytes. */
  readonly bytes: number
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
  /** What chance comes from. */
  readonly seed: number
  /** What its counters remember from an earlier time; without it they start anew. */
  readonly lasting?: Map<string, Memory>
}

/** Where worlds get scenarios from. */
export interface ScenarioSource {
  /** Switches a scenario on. @throws RangeError when there is none of that name or an option is wrong. */
  activate(name: string, options: Readonly<Record<string, unknown>>, context: ActivationContext): ActiveScenario
  /** @throws RangeError when there is none of that name, with what was to be done with it: `clear`. */
  assertKnown(name: string, purpose: string): void
}
