import type { Finding, Verdict } from './verdict.ts'

/** What a run found out about a rule. */
export type RuleResult = Verdict & {
  readonly id: string
  readonly area: string
  readonly words: string
  readonly source: 'stated' | 'ours'
}

/** What it found out about an assumption. */
export type GapResult = Finding & { readonly id: string; readonly question: string; readonly standard: string }

/** What a run found out. */
export interface Report {
  readonly targets: Readonly<Partial<Record<'plants' | 'apps', string>>>
  readonly rules: readonly RuleResult[]
  readonly gaps: readonly GapResult[]
  /** What was made and could not be taken away again. */
  readonly left: readonly string[]
  /** What was bought, which nobody can give back. */
  readonly bought: readonly string[]
  /** Why the run ended early, where it did. */
  readonly ended?: string | undefined
}
