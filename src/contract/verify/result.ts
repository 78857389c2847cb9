import type { AreaName } from '../../areas/area-names.ts'
import type { GapFinding, RuleVerdict } from './verdict.ts'

export type RuleResult = RuleVerdict & {
  readonly id: string
  readonly area: string
  readonly words: string
  /** Breaking a stated rule is a failure; breaking one of ours is only a difference. */
  readonly source: 'stated' | 'ours'
}

export type GapResult = GapFinding & { readonly id: string; readonly question: string; readonly standard: string }

export interface VerifyReport {
  readonly targets: Readonly<Partial<Record<AreaName, string>>>
  readonly rules: readonly RuleResult[]
  readonly gaps: readonly GapResult[]
  readonly left: readonly string[]
  readonly bought: readonly string[]
  readonly ended?: string | undefined
}
