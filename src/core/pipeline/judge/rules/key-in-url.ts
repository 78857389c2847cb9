import { quote } from '../../../definitions/quote.ts'
import { scan } from '../../../journal/redact.ts'
import { isCount, isSecretName } from '../../../journal/secret-names.ts'
import { decodeWherePossible } from '../decode.ts'
import type { Judged } from '../judged.ts'
import { defineRule } from '../rule.ts'

const advice = 'URLs are logged on their way: send the key as "Authorization: Bearer <API_KEY>" and nowhere else.'

export const keyInUrlRule = defineRule({
  id: 'key-in-url',
  finds: 'a key or another secret in the path or the query',
  check(judged, problems) {
    for (const name of secretParameters(judged))
      problems.add(() => `The query parameter ${quote(name)} holds a key or another secret. ${advice}`)
    // The segments that an operation has itself are none.
    const segments = judged.operation ? Object.values(judged.params) : judged.path.split('/', 32)
    if (segments.some((segment) => segment !== '' && isSecret(judged, decodeWherePossible(segment))))
      problems.add(() => `The path holds a key or another secret. ${advice}`)
  },
})

/** The names of query parameters that hold a secret. */
export function secretParameters(judged: Judged): Set<string> {
  const names = new Set<string>()
  for (const [name, value] of judged.query) {
    if (value === '') continue
    const isKnown = Object.hasOwn(judged.parameters, name)
    if ((!isKnown && isSecretName(name) && !isCount(name, value)) || isSecret(judged, value)) names.add(name)
  }
  return names
}

function isSecret({ request }: Judged, text: string): boolean {
  return request.isSecret(text) || scan(text).places.length > 0
}
