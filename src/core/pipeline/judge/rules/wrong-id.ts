import { brief, quote } from '../../../definitions/quote.ts'
import { decodeWherePossible } from '../decode.ts'
import type { Judged } from '../judged.ts'
import { defineRule } from '../rule.ts'
import { toJsonSchemaProblem } from '../schema-problem.ts'

/** Texts that programs write in place of a missing value. */
const noValues = new Set(['undefined', 'null', 'NaN', 'None', '[object Object]'])

export const wrongIdRule = defineRule({
  id: 'wrong-id',
  about: 'line',
  finds: 'an id of another kind (`app_…` where `conv_…` belongs), or not an id: `undefined`, `{app_id}`',
  check(judged, problems) {
    const { params, area, sent, operation, request } = judged
    for (const name in params) {
      const id = decodeWherePossible(params[name]!)
      if (noValues.has(id) || /^(?:\{.*\}|:\w+|<.*>)$/s.test(id)) {
        problems.add(() => `${name} in the path is ${quote(id)}, which is not an id.`)
        continue
      }
      const wrong = toJsonSchemaProblem(id, area.idSchema)
      if (wrong !== undefined) problems.add(() => `${name} in the path ${wrong}, and it is ${quote(id)}.`)
      else checkKind(judged, name, id, problems)
    }
    if (operation === undefined) return
    for (const name in area.idPrefixes) {
      const asked = request.search !== '' && Object.hasOwn(judged.parameters, name) ? judged.query.get(name) : null
      if (asked !== null) checkKind(judged, name, asked, problems)
      const field = sent && Object.hasOwn(sent, name) ? sent[name] : undefined
      if (typeof field === 'string') checkKind(judged, name, field, problems)
    }
  },
})

/** Notes an id that begins as those of other records do. */
function checkKind({ area }: Judged, name: string, id: string, problems: { add(tell: () => string): void }): void {
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
