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
  /** Created objects that could not be deleted. */
  readonly left: readonly string[]
  /** Purchases, which cannot be undone. */
  readonly bought: readonly string[]
  /** Why the run ended early, if it did. */
  readonly ended?: string | undefined
}
