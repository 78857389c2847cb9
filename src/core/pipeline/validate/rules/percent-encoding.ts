import { decode } from '../../../http/urls.ts'
import type { ValidationRule } from '../judged.ts'

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
