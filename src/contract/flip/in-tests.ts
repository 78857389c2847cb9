import type { AssumptionChoices } from '../../greenhouse/types/names.ts'

/** What `greenhouse-mock flip` passes to the worlds of tests, as JSON in GREENHOUSE_FLIP. */
export interface FlipSettings {
  readonly folder: string
  readonly assumptions: AssumptionChoices
}

/** What a Greenhouse of tests reports to `greenhouse-mock flip`. */
export interface WorldsReport {
  readonly requests: number
  /** The ids of the assumptions that were read. */
  readonly consulted: readonly string[]
}
