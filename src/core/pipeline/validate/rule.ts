import type { ViolationRule } from '../../journal/violation.ts'
import type { ProblemList } from '../rejection.ts'
import type { CheckedRequest } from './judged.ts'

export interface ValidationRule {
  readonly id: ViolationRule
  /**
   * The part of a request that it checks; requests without this part skip the rule. A request without a body counts as
   * having one if its operation takes a body.
   */
  readonly about: 'line' | 'headers' | 'query' | 'body'
  /** Whether the service always refuses a request that breaks this rule, so that a successful request need not be checked. */
  readonly isRejected?: boolean
  readonly finds: string
  check(checked: CheckedRequest, problems: ProblemList): void
}

export function defineRule(rule: ValidationRule): ValidationRule {
  return rule
}
