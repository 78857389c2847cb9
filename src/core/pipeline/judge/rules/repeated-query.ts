import { quote } from '../../../definitions/quote.ts'
import { defineRule } from '../rule.ts'

export const repeatedQueryRule = defineRule({
  id: 'repeated-query',
  about: 'query',
  finds: 'the same query parameter more than once',
  check({ operation, query }, problems) {
    if (!operation || query.size < 2) return
    const counts = new Map<string, number>()
    for (const name of query.keys()) counts.set(name, (counts.get(name) ?? 0) + 1)
    for (const [name, count] of counts)
      if (count > 1)
        problems.add(() => `The query parameter ${quote(name)} is sent ${count} times: only its first value counts.`)
  },
})
