import { decode } from '../../../http/urls.ts'
import { brief, quote } from '../../../text/messages.ts'
import { explainMissing, findNearMisses } from '../../explain-not-found.ts'
import { checkQuery, checkQueryNames } from '../../query.ts'
import type { ValidationRule } from '../judged.ts'
import { toJsonSchemaProblem } from '../schema-problem.ts'

export const lineRules: readonly ValidationRule[] = [
  {
    id: 'unknown-path',
    about: 'line',
    isRejected: true,
    finds: 'a path that no operation has',
    check({ methods, request, path, areas }, problems) {
      if (methods.length > 0) return
      const find = () => findNearMisses(request.method, path, areas)
      problems.add(() => {
        const sentence = explainMissing(path, find)((text) => text)
        return sentence.endsWith('?') ? sentence : `${sentence}.`
      })
    },
  },
  {
    id: 'unknown-method',
    about: 'line',
    isRejected: true,
    finds: 'a method that the path does not have',
    check({ operation, methods, request, path }, problems) {
      if (operation || methods.length === 0) return
      problems.add(
        () => `The path ${brief(path)} does not have the method ${brief(request.method)}, only ${methods.join(', ')}.`,
      )
    },
  },
]

export const percentEncodingRule: ValidationRule = {
  id: 'percent-encoding',
  about: 'line',
  isRejected: true,
  finds: 'a path or query with invalid percent-encoding: `?q=100%`',
  check({ params, request: { search } }, problems) {
    if (Object.values(params).some((value) => decode(value) === undefined))
      problems.add(() => 'The percent-encoding of the path is not valid.')
    if (decode(search) === undefined) problems.add(() => 'The percent-encoding of the query is not valid.')
  },
}

export const queryRules: readonly ValidationRule[] = [
  {
    id: 'unknown-query',
    about: 'query',
    finds: 'a query parameter that the operation does not have',
    check(checked, problems) {
      const { operation, query, parameters } = checked
      if (!operation || query.size === 0) return
      // A key in the URL is already reported by the rule `key-in-url`.
      const secret = checked.secretParameters
      const names = secret.size === 0 ? query : new URLSearchParams([...query].filter(([name]) => !secret.has(name)))
      checkQueryNames(names, Object.keys(parameters), problems)
    },
  },
  {
    id: 'repeated-query',
    about: 'query',
    finds: 'the same query parameter more than once',
    check({ operation, query, parameters }, problems) {
      if (!operation || query.size < 2) return
      const counts = new Map<string, number>()
      for (const name of query.keys()) counts.set(name, (counts.get(name) ?? 0) + 1)
      for (const [name, count] of counts)
        if (count > 1 && !(Object.hasOwn(parameters, name) && parameters[name]!.isList))
          problems.add(() => `The query parameter ${quote(name)} is sent ${count} times: only its first value counts.`)
    },
  },
  {
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
  },
]
