import { quote } from '../../../text/messages.ts'
import { decodeWherePossible } from '../../../http/urls.ts'
import type { ValidationRule } from '../judged.ts'

const advice = 'Servers log URLs: send the key only as "Authorization: Bearer <API_KEY>".'

export const keyInUrlRule: ValidationRule = {
  id: 'key-in-url',
  about: 'line',
  finds: 'a key or another secret in the path or the query',
  check(checked, problems) {
    for (const name of checked.secretParameters)
      problems.add(() => `The query parameter ${quote(name)} holds a key or another secret. ${advice}`)
    // Fixed segments of the operation's path are not keys.
    const { params } = checked
    let isInPath = false
    if (checked.operation) {
      for (const name in params) isInPath ||= checked.isSecret(decodeWherePossible(params[name]!))
    } else isInPath = checked.path.split('/', 32).some((segment) => checked.isSecret(decodeWherePossible(segment)))
    if (isInPath) problems.add(() => `The path holds a key or another secret. ${advice}`)
  },
}
