import { quote } from '../../../definitions/quote.ts'
import { isJsonInUtf8 } from '../../../http/content-type.ts'
import { defineRule } from '../rule.ts'

export const contentTypeRule = defineRule({
  id: 'content-type',
  about: 'body',
  isRefused: true,
  finds: 'a body that is not declared as `application/json`, or not declared at all',
  check(judged, problems) {
    if (!judged.operation?.body || judged.request.body === null) return
    const type = judged.header('content-type')
    if (type === undefined) problems.add(() => 'The Content-Type is missing: it must be application/json.')
    else if (!isJsonInUtf8(type))
      problems.add(() => `The Content-Type must be application/json in UTF-8, not ${quote(type)}.`)
  },
})
