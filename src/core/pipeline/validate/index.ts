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

export function createRequestValidator(areas: RoutedAreas): RequestValidator {
  return (request) => {
    const checked = new CheckedRequest(request, areas)
    const violations: Violation[] = []
    for (const rule of validationRules) {
      if (!applies(rule, checked)) continue
      const problems: ProblemList = {
        add(describe) {
          if (violations.length < maxReported) violations.push({ rule: rule.id, message: describe() })
        },
      }
      try {
        rule.check(checked, problems)
      } catch (error) {
        // A check in a user's schema may throw. The request got a 500 for it.
        if (!checked.operation?.isOwn) throw error
      }
    }
    return violations
  }
}

function applies({ about, isRejected }: ValidationRule, { request, operation }: CheckedRequest): boolean {
  if (isRejected && request.hasSucceeded) return false
  if (about === 'query') return request.search !== ''
  return about !== 'body' || request.body !== null || operation?.body !== undefined
}
