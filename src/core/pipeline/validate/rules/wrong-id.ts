import type * as z from 'zod/mini'
import { brief, quote } from '../../../text/messages.ts'
import type { ProblemList } from '../../../contract/errors.ts'
import { toInner } from '../../../store/validation-message.ts'
import { decodeWherePossible } from '../../../http/urls.ts'
import type { CheckedRequest, ValidationRule } from '../judged.ts'
import { isNoValue, isTemplate, toJsonSchemaProblem } from '../schema-problem.ts'

export const wrongIdRule: ValidationRule = {
  id: 'wrong-id',
  about: 'line',
  finds:
    'an id of another kind (`app_…` where `conv_…` belongs), not an id (`undefined`, `{app_id}`), or an id in `user` where `user_id` is meant',
  check(checked, problems) {
    const { params, area, sent, operation, request } = checked
    for (const name in params) {
      const id = decodeWherePossible(params[name]!)
      if (isNoId(id)) {
        problems.add(() => `${name} in the path is ${quote(id)}, which is not an id.`)
        continue
      }
      // The operation's own schemas decide.
      if (operation?.params) continue
      const wrong = toJsonSchemaProblem(id, area.idSchema)
      if (wrong !== undefined) problems.add(() => `${name} in the path ${wrong}, not ${quote(id)}.`)
      else checkKind(checked, name, id, problems)
    }
    if (operation === undefined) return
    for (const name in area.idPrefixes) {
      const value = request.search !== '' && Object.hasOwn(checked.parameters, name) ? checked.query.get(name) : null
      if (value !== null) checkId(checked, name, value, problems)
      const field = member(sent, name)
      if (typeof field === 'string') checkId(checked, name, field, problems)
      checkNeighbour(checked, name, problems)
    }
  },
}

function isNoId(text: string): boolean {
  return isNoValue(text) || isTemplate(text) || /^:\w+$/.test(text)
}

function checkId(checked: CheckedRequest, name: string, id: string, problems: ProblemList): void {
  if (isNoId(id)) problems.add(() => `${name} is ${quote(id)}, which is not an id.`)
  else checkKind(checked, name, id, problems)
}

/** Reports an id in `user`, or in its `id`, that belongs in `user_id`. */
function checkNeighbour({ operation, area, sent }: CheckedRequest, name: string, problems: ProblemList): void {
  const short = name.slice(0, -'_id'.length)
  const value = member(sent, short)
  if (value === undefined || !operation?.body || !hasFields(operation.body, [name, short])) return
  const id = typeof value === 'string' ? value : member(value, 'id')
  if (typeof id !== 'string' || !id.startsWith(`${area.idPrefixes![name]}_`)) return
  problems.add(() => `${short} holds the id ${quote(id)}: send it as "${name}".`)
}

function hasFields(schema: z.core.$ZodType, names: readonly string[]): boolean {
  const { def } = toInner(schema)._zod
  return def.type === 'object' && names.every((name) => Object.hasOwn(def.shape, name))
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

function checkKind({ area }: CheckedRequest, name: string, id: string, problems: ProblemList): void {
  const { idPrefixes = {} } = area
  const prefix = idPrefixes[name]
  const end = id.indexOf('_')
  if (prefix === undefined || end <= 0 || id.slice(0, end) === prefix) return
  for (const other in idPrefixes)
    if (idPrefixes[other] === id.slice(0, end)) {
      problems.add(() => `${name} is ${quote(id)}, which has the form of ${brief(other)}: expected ${prefix}_….`)
      return
    }
}
