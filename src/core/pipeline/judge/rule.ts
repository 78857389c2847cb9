import type { ViolationRule } from '../../journal/violation.ts'
import type { Problems } from '../refusal.ts'
import type { Judged } from './judged.ts'

/** One thing that the contract asks of requests. */
export interface Rule {
  readonly id: ViolationRule
  /** What it looks at: where a request has nothing of the kind, it is not asked. A request without a body has one where its operation takes one. */
  readonly about: 'line' | 'headers' | 'query' | 'body'
  /** Whether no request that breaks it succeeds: one that did need not be asked. */
  readonly isRefused?: boolean
  /** What breaks it, for the documentation. */
  readonly finds: string
  /** Notes what breaks it. */
  check(judged: Judged, problems: Problems): void
}

/** Declares a rule. */
export function defineRule(rule: Rule): Rule {
  return rule
}
