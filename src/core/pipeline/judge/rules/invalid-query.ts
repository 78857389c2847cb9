import { checkQuery } from '../../query.ts'
import { defineRule } from '../rule.ts'
import { toJsonSchemaProblem } from '../schema-problem.ts'

export const invalidQueryRule = defineRule({
  id: 'invalid-query',
  about: 'query',
  finds: 'a query parameter with an invalid value, or a time with a `+` that is not escaped',
  check({ query, parameters }, problems) {
    if (query.size === 0) return
    checkQuery(query, parameters, problems)
    for (const name in parameters) {
      const { schema, check, findSlip } = parameters[name]!
      const value = query.get(name)
      const slip = value === null ? undefined : findSlip?.(value)
      if (slip !== undefined) problems.add(() => `${name} ${slip}.`)
      // `check` has already checked this parameter.
      if (value === null || check || !schema) continue
      const wrong = toJsonSchemaProblem(value, schema)
      if (wrong !== undefined) problems.add(() => `${name} ${wrong}.`)
    }
  },
})
