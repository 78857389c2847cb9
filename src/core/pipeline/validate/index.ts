import type { RequestValidator, Violation } from '../../journal/violation.ts'
import type { ProblemList } from '../../contract/errors.ts'
import type { RoutedAreas } from '../router.ts'
import { CheckedRequest, type ValidationRule } from './checked-request.ts'
import { bodyRules } from './rules/body.ts'
import { acceptRule, headerRules, keyRules } from './rules/headers.ts'
import { lineRules, percentEncodingRule, queryRules, wrongIdRule } from './rules/line.ts'

export const validationRules: readonly ValidationRule[] = [
  ...lineRules,
  ...keyRules,
  ...headerRules,
  acceptRule,
  percentEncodingRule,
  wrongIdRule,
  ...queryRules,
  ...bodyRules,
]

const maxReported = 20

const noViolations: readonly Violation[] = []

const applicableRules = [false, true].map((hasSucceeded) =>
  [false, true].map((hasQuery) =>
    [false, true].map((hasBody) =>
      validationRules.filter(
        ({ about, isRejected = false }) =>
          !(hasSucceeded && isRejected) && (about !== 'query' || hasQuery) && (about !== 'body' || hasBody),
      ),
    ),
  ),
)

export function createRequestValidator(areas: RoutedAreas): RequestValidator {
  return (request) => {
    const checked = new CheckedRequest(request, areas)
    const hasQuery = request.search !== ''
    const hasBody = request.body !== null || checked.operation?.body !== undefined
    const found = new FoundViolations()
    for (const rule of applicableRules[Number(request.hasSucceeded)]![Number(hasQuery)]![Number(hasBody)]!) {
      found.rule = rule.id
      try {
        rule.check(checked, found)
      } catch (error) {
        // A check in a user's schema may throw. The request got a 500 for it.
        if (!checked.operation?.isOwn) throw error
      }
    }
    return found.violations ?? noViolations
  }
}

class FoundViolations implements ProblemList {
  rule: ValidationRule['id'] = 'unknown-path'
  violations: Violation[] | undefined

  add(describe: () => string): void {
    this.violations ??= []
    if (this.violations.length < maxReported) this.violations.push({ rule: this.rule, message: describe() })
  }
}
