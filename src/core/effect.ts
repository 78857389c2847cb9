import type { Account, Key } from './accounts.ts'
import type { Caller } from './auth.ts'
import type { Exchange } from './exchange.ts'
import type { PlanName } from './plans.ts'
import type { Limiter } from './rate-limit.ts'
import type { Reply } from './reply.ts'

/**
 * What an active scenario does to the requests that it applies to. Every member is optional; none of them touches the
 * world's data, so that clearing the scenario is enough to be back.
 */
export interface Effect {
  /** The scenario that it belongs to. */
  readonly scenario: string
  /** The same effect with counters of its own, for a snapshot; an effect that counts nothing has none. */
  fork?(): Effect
  /** Assumptions that hold while it is active. */
  readonly assumptions?: Readonly<Record<string, string>>
  /** The key as it is while it is active. */
  key?(key: Readonly<Key>, account: Readonly<Account>, now: number): Readonly<Key>
  /** The plan that the account is on while it is active. */
  plan?(key: Readonly<Key>, account: Readonly<Account>): PlanName | undefined
  /** The counter that the caller's requests spend from while it is active. */
  limiter?(exchange: Exchange, caller: Caller): Limiter | undefined
  /** The reply that it gives in place of the operation. */
  respond?(exchange: Exchange): Reply | undefined
  /** The result as it leaves while it is active. Returns `body` itself when it does not apply. */
  malform?(exchange: Exchange, body: unknown): unknown
}

/** A scenario that was switched on: what it is called and what it does. */
export interface ActiveScenario {
  readonly name: string
  readonly options: Readonly<Record<string, unknown>>
  readonly effects: readonly Effect[]
}

/** Where worlds get scenarios from. */
export interface ScenarioSource {
  /** Switches a scenario on, at `now`, for the world with these assumptions. @throws RangeError when there is none of that name or an option is wrong. */
  activate(name: string, options: Readonly<Record<string, unknown>>, now: number): ActiveScenario
}
