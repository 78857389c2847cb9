import type { Explanation } from '../definitions/explanation.ts'
import type { ServiceRequest } from '../http/request.ts'
import type { NearMiss } from './near-miss.ts'
import type { KeptVerdicts } from './verdict.ts'

export interface RecordedExchange {
  readonly request: ServiceRequest
  readonly world: { readonly name: string }
  /** When the request arrived, on the world's clock. */
  readonly now: number
  readonly operation: { readonly id: string } | undefined
  readonly account: string | undefined
  readonly overlay: { readonly assumptions: ReadonlyMap<string, string> }
  readonly assumed: readonly string[]
  readonly nearMisses: (() => NearMiss[]) | undefined
  readonly explanation: Explanation | undefined
  readonly verdicts: KeptVerdicts
  /** The delay of the reply, in milliseconds. */
  readonly delay: number
}
