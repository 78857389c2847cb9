import type { ProblemList } from '../../../contract/errors.ts'
import { toJsonSchemaProblem } from '../../../contract/json-schema.ts'
import { toShape } from '../../../store/validation-message.ts'
import { brief, quote } from '../../../text/messages.ts'
import { valueAt, decodeIfValid, decodeWherePossible } from '../../../text/values.ts'
import { explainMissing, findNearMisses } from '../../explain-not-found.ts'
import { checkQuery, checkQueryNames } from '../../list-query.ts'
import {
  type CheckedRequest,
  isNoValue,
  isTemplate,
  type ValidationRule,
} from '../checked-request.ts'

export const lineRules: readonly ValidationRule[] = [
  {
    id: 'unknown-path',
    isRejected: true,
    finds: 'a path that no operation has',
    check({ methods, request, path, areas }, problems) {
      if (methods.length > 0) return
      const find = () => findNearMisses(request.method, path, areas)
      problems.add(() => {
        const sentence = explainMissing(path, find)((text) => text)
        if (sentence.endsWith('?')) return sentence
        return `${sentence}.`
      })
    },
  },
  {
    id: 'unknown-method',
    isRejected: true,
    finds: 'a method that the path does not have',
    check({ operation, methods, request, path }, problems) {
      if (operation || methods.length === 0) return
      problems.add(
        () =>
          `The path ${brief(path)} does not have the method ${brief(request.method)}, only ${methods.join(', ')}.`,
      )
    },
  },
]

export const queryRules: readonly ValidationRule[] = [
  {
    id: 'percent-encoding',
    isRejected: true,
    finds: 'a path or query with invalid percent-encoding: `?q=100%`',
    check({ params, request: { search } }, problems) {
      if (Object.values(params).some((value) => decodeIfValid(value) === undefined))
        problems.add(() => 'The percent-encoding of the path is not valid.')
      if (decodeIfValid(search) === undefined)
        problems.add(() => 'The percent-encoding of the query is not valid.')
    },
  },
  {
    id: 'wrong-id',
    finds:
      'an id of another kind (`app_…` where `conv_…` belongs), not an id (`undefined`, `{app_id}`), or an id in `user` where `user_id` is meant',
    check(checked, problems) {
      const { params, area, sent, operation } = checked
      for (const [name, encoded] of Object.entries(params)) {
        const id = decodeWherePossible(encoded)
        if (isNoId(id)) {
          problems.add(() => `${name} in the path is ${quote(id)}, which is not an id.`)
          continue
        }
        // The operation's own schemas decide.
        if (operation?.params) continue
        const wrong = toJsonSchemaProblem(id, area.idSchema)
        if (wrong !== undefined)
          problems.add(() => `${name} in the path ${wrong}, not ${quote(id)}.`)
        else checkParameterKind(checked, name, id, problems)
      }
      if (operation === undefined) return
      for (const name in area.idPrefixes) {
        const value = Object.hasOwn(checked.parameters, name) ? checked.query.get(name) : null
        if (value !== null) checkId(checked, name, value, problems)
        const field = valueAt(sent, [name])
        if (typeof field === 'string') checkId(checked, name, field, problems)
        checkNeighbour(checked, name, problems)
      }
    },
  },
  {
    id: 'unknown-query',
    finds: 'a query parameter that the operation does not have',
    check(checked, problems) {
      const { operation, query, parameters, secretParameters } = checked
      if (!operation || query.size === 0) return
      // A key in the URL is already reported by the rule `key-in-url`.
      const others = [...query].filter(([name]) => !secretParameters.has(name))
      checkQueryNames(new URLSearchParams(others), Object.keys(parameters), problems)
    },
  },
  {
    id: 'repeated-query',
    finds: 'the same query parameter more than once',
    check({ operation, query, parameters }, problems) {
      if (!operation) return
      const counts = new Map<string, number>()
      for (const name of query.keys()) counts.set(name, (counts.get(name) ?? 0) + 1)
      for (const [name, count] of counts)
        if (count > 1 && !parameters[name]?.isList)
          problems.add(
            () =>
              `The query parameter ${quote(name)} is sent ${count} times: only its first value counts.`,
          )
    },
  },
  {
    id: 'invalid-query',
    finds: 'a query parameter with an invalid value, or a time with a `+` that is not escaped',
    check({ query, parameters }, problems) {
      checkQuery(query, parameters, problems)
      for (const [name, parameter] of Object.entries(parameters)) {
        const value = query.get(name)
        const slip = value === null ? undefined : parameter.findSlip?.(value)
        if (slip !== undefined) problems.add(() => `${name} ${slip}.`)
      }
    },
  },
]

function isNoId(text: string): boolean {
  return isNoValue(text) || isTemplate(text) || /^:\w+$/.test(text)
}

function checkId(checked: CheckedRequest, name: string, id: string, problems: ProblemList): void {
  if (isNoId(id)) problems.add(() => `${name} is ${quote(id)}, which is not an id.`)
  else checkParameterKind(checked, name, id, problems)
}

/** Reports an id in `user`, or in its `id`, that belongs in `user_id`. */
function checkNeighbour(
  { operation, area, sent }: CheckedRequest,
  name: string,
  problems: ProblemList,
): void {
  const short = name.slice(0, -'_id'.length)
  const value = valueAt(sent, [short])
  const fields = operation?.body && toShape(operation.body)
  if (!fields || ![name, short].every((one) => Object.hasOwn(fields, one))) return
  const id = typeof value === 'string' ? value : valueAt(value, ['id'])
  if (typeof id !== 'string' || !id.startsWith(`${area.idPrefixes?.[name]}_`)) return
  problems.add(() => `${short} holds the id ${quote(id)}: send it as "${name}".`)
}

function checkParameterKind(
  { area }: CheckedRequest,
  name: string,
  id: string,
  problems: ProblemList,
): void {
  const { idPrefixes = {} } = area
  const prefix = idPrefixes[name]
  const end = id.indexOf('_')
  if (prefix === undefined || end === -1 || id.slice(0, end) === prefix) return
  for (const other in idPrefixes)
    if (idPrefixes[other] === id.slice(0, end)) {
      problems.add(
        () =>
          `${name} is ${quote(id)}, which has the form of ${brief(other)}: expected ${prefix}_….`,
      )
      return
    }
}
