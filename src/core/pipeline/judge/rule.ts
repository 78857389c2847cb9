import type { ViolationRule } from '../../journal/violation.ts'
import type { Problems } from '../refusal.ts'
import type { Judged } from './judged.ts'

/** One thing that the contract asks of requests. */
export interface Rule {
  readonly id: ViolationRule
  /** The part of a request that it checks: requests without this part skip the rule. A request without a body counts as having one when its operation takes a body. */
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
