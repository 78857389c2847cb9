import { checkQueryNames } from '../../query.ts'
import { defineRule } from '../rule.ts'

export const unknownQueryRule = defineRule({
  id: 'unknown-query',
  about: 'query',
  finds: 'a query parameter that the operation does not have',
  check(judged, problems) {
    const { operation, query, parameters } = judged
    if (!operation || query.size === 0) return
    // A key in the URL is already reported by the rule `key-in-url`.
    const secret = judged.secretParameters
    const names = secret.size === 0 ? query : new URLSearchParams([...query].filter(([name]) => !secret.has(name)))
    checkQueryNames(names, Object.keys(parameters), problems)
  },
})
