import type { Judge, Violation } from '../../journal/violation.ts'
import type { Problems } from '../refusal.ts'
import { Judged, type RoutedAreas } from './judged.ts'
import type { Rule } from './rule.ts'
import { acceptRule } from './rules/accept.ts'
import { contentEncodingRule } from './rules/content-encoding.ts'
import { contentTypeRule } from './rules/content-type.ts'
import { invalidBodyRule } from './rules/invalid-body.ts'
import { invalidHeaderRule } from './rules/invalid-header.ts'
import { invalidQueryRule } from './rules/invalid-query.ts'
import { keyInUrlRule } from './rules/key-in-url.ts'
import { missingBodyRule } from './rules/missing-body.ts'
import { missingKeyRule } from './rules/missing-key.ts'
import { misspeltHeaderRule } from './rules/misspelt-header.ts'
import { percentEncodingRule } from './rules/percent-encoding.ts'
import { repeatedQueryRule } from './rules/repeated-query.ts'
import { unexpectedBodyRule } from './rules/unexpected-body.ts'
import { unknownFieldRule } from './rules/unknown-field.ts'
import { unknownMethodRule } from './rules/unknown-method.ts'
import { unknownPathRule } from './rules/unknown-path.ts'
import { unknownQueryRule } from './rules/unknown-query.ts'
import { wrongIdRule } from './rules/wrong-id.ts'

/** All that requests are held against, from the request line to the body. */
export const rules: readonly Rule[] = [
  unknownPathRule,
  unknownMethodRule,
  missingKeyRule,
  keyInUrlRule,
  misspeltHeaderRule,
  invalidHeaderRule,
  acceptRule,
  percentEncodingRule,
  wrongIdRule,
  unknownQueryRule,
  repeatedQueryRule,
  invalidQueryRule,
  unexpectedBodyRule,
  missingBodyRule,
  contentTypeRule,
  contentEncodingRule,
  unknownFieldRule,
  invalidBodyRule,
]

/** How many violations of one request are told. */
const mostTold = 20

const sound: readonly Violation[] = []

/** Makes what holds requests against the operations of these areas. It depends on the request alone, whatever the world holds. */
export function createJudge(areas: RoutedAreas): Judge {
  return (request) => {
    const judged = new Judged(request, areas)
    let violations: Violation[] | undefined
    let id: Rule['id']
    const problems: Problems = {
      add(tell) {
        violations ??= []
        if (violations.length < mostTold) violations.push({ rule: id, message: tell() })
      },
    }
    const hasQuery = request.search !== ''
    const hasBody = request.body !== null || judged.operation?.body !== undefined
    for (const rule of rules) {
      if ((rule.about === 'query' && !hasQuery) || (rule.about === 'body' && !hasBody)) continue
      id = rule.id
      rule.check(judged, problems)
    }
    return violations ?? sound
  }
}
