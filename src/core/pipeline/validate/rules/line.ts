import { decode } from '../../../http/urls.ts'
import { brief } from '../../../text/messages.ts'
import { explainMissing, findNearMisses } from '../../explain-not-found.ts'
import type { ValidationRule } from '../judged.ts'

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
