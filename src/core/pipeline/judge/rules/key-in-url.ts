import { quote } from '../../../definitions/quote.ts'
import { decodeWherePossible } from '../decode.ts'
import { defineRule } from '../rule.ts'

const advice = 'URLs are logged on their way: send the key as "Authorization: Bearer <API_KEY>" and nowhere else.'

export const keyInUrlRule = defineRule({
  id: 'key-in-url',
  about: 'line',
  finds: 'a key or another secret in the path or the query',
  check(judged, problems) {
    for (const name of judged.secretParameters)
      problems.add(() => `The query parameter ${quote(name)} holds a key or another secret. ${advice}`)
    // The segments that an operation has itself are none.
    const segments = judged.operation ? Object.values(judged.params) : judged.path.split('/', 32)
    if (segments.some((segment) => judged.isSecret(decodeWherePossible(segment))))
      problems.add(() => `The path holds a key or another secret. ${advice}`)
  },
})
