import type { Explanation } from '../definitions/explanation.ts'
import type { ServiceRequest } from '../http/request.ts'
import type { NearMiss } from './near-miss.ts'
import type { KeptVerdicts } from './verdict.ts'

/** What the journal records of a request on its way. */
export interface RecordedExchange {
  readonly request: ServiceRequest
  readonly world: { readonly name: string }
  /** When the request came, on the world's clock. */
  readonly now: number
  readonly operation: { readonly id: string } | undefined
  /** Whose key was sent. */
  readonly account: string | undefined
  /** What the request met: the assumptions in force, by id. */
  readonly overlay: { readonly assumptions: ReadonlyMap<string, string> }
  /** The assumptions that were asked for, repeats included. */
  readonly assumed: readonly string[]
  readonly nearMisses: (() => NearMiss[]) | undefined
  readonly explanation: Explanation | undefined
  readonly verdicts: KeptVerdicts
  /** How long the reply is held back, in milliseconds. */
  readonly delay: number
}
