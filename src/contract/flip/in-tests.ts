import type { AssumptionChoices } from '../../api/types/names.ts'

/** What `greenhouse-mock flip` passes to the worlds of tests, as JSON in GREENHOUSE_FLIP. */
export interface FlipSettings {
  readonly folder: string
  readonly assumptions: AssumptionChoices
}

export interface WorldsReport {
  readonly requests: number
  readonly consulted: readonly string[]
}
