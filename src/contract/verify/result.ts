import type { AreaName } from '../../areas/event-types.ts'
import type { ProbeFinding, RuleVerdict } from './finding.ts'

export type RuleResult = RuleVerdict & {
  readonly id: string
  readonly area: string
  readonly words: string
  /** Breaking a stated rule is a failure; breaking one of ours is only a difference. */
  readonly source: 'stated' | 'ours'
}

export type AssumptionResult = ProbeFinding & {
  readonly id: string
  readonly question: string
  readonly standard: string
}

export interface VerifyReport {
  readonly targets: Readonly<Partial<Record<AreaName, string>>>
  readonly rules: readonly RuleResult[]
  readonly probes: readonly AssumptionResult[]
  readonly left: readonly string[]
  readonly bought: readonly string[]
  readonly ended?: string | undefined
}
