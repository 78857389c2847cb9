import type { RequestValidator, Violation } from '../../journal/violation.ts'
import { type ProblemList, Rejection } from '../../contract/errors.ts'
import { isKnown } from '../../secrets/known-secrets.ts'
import { withoutWorld } from '../../text/world-key.ts'
import type { Exchange } from '../exchange.ts'
import type { RoutedAreas } from '../router.ts'
import { CheckedRequest, type ValidationRule } from './checked-request.ts'
import { bodyRules } from './rules/body.ts'
import { headerRules } from './rules/headers.ts'
import { lineRules, queryRules } from './rules/line.ts'

export const validationRules: readonly ValidationRule[] = [
  ...lineRules,
  ...headerRules,
  ...queryRules,
  ...bodyRules,
]

const maxReported = 20

export function createRequestValidator(areas: RoutedAreas): RequestValidator {
  return (request) => {
    const checked = new CheckedRequest(request, areas)
    const violations: Violation[] = []
    for (const { id, isRejected, check } of validationRules) {
      if (isRejected && request.hasSucceeded) continue
      const problems: ProblemList = {
        add(describe) {
          if (violations.length < maxReported)
            violations.push({
              rule: id,
              message: describe(),
            })
        },
      }
      try {
        check(checked, problems)
      } catch (error) {
        // A check in a user's schema may throw. The request got a 500 for it.
        if (!checked.operation?.isOwn) throw error
      }
    }
    return violations
  }
}

export function rejectViolations(exchange: Exchange, validator: RequestValidator): void {
  const { request, world, effectiveSettings } = exchange
  const { method, path, search, headers, body } = request
  const violations = validator({
    method,
    path,
    search,
    headers,
    body: body?.length === 0 ? null : body,
    assumptions: effectiveSettings.assumptions,
    hasSucceeded: false,
    isSecret: (text) => isKnown(world.secretFinders(), withoutWorld(text)),
  })
  const rejection = new Rejection()
  for (const { rule, message } of violations) rejection.add(() => `${rule}: ${message}`)
  rejection.throwIfAny()
}
