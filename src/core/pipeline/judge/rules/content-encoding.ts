import { quote } from '../../../definitions/quote.ts'
import { defineRule } from '../rule.ts'

export const contentEncodingRule = defineRule({
  id: 'content-encoding',
  about: 'body',
  isRefused: true,
  finds: 'a body that is compressed',
  check(judged, problems) {
    if (!judged.operation?.body || judged.request.body === null) return
    const encoding = judged.header('content-encoding')
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
      problems.add(() => `The Content-Encoding ${quote(encoding)} is not supported: send the body as it is.`)
  },
})
