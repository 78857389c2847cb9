import { quote } from '../../../text/messages.ts'
import { decodeWherePossible } from '../../../http/urls.ts'
import { toSecret } from '../../../accounts/accounts.ts'
import { withoutWorld } from '../../../secrets/secret-spans.ts'
import { coreAssumptions } from '../../assumptions.ts'
import { isNoValue, isTemplate } from '../schema-problem.ts'
import type { ValidationRule } from '../judged.ts'

const otherHeaders = ['x-api-key', 'api-key', 'apikey', 'x-auth-token', 'x-access-token']

const expected = 'Send "Authorization: Bearer <API_KEY>"'

const missingKey: ValidationRule = {
  id: 'missing-key',
  about: 'headers',
  isRejected: true,
  finds:
    'no `Authorization` header, a form other than `Bearer <API_KEY>`, or a placeholder in place of a key: `Bearer undefined`',
  check(checked, problems) {
    if (!checked.operation) return
    const header = checked.header('authorization')
    const secret = toSecret(header)
    if (secret !== undefined) {
      const key = withoutWorld(secret)
      if ((isNoValue(key) || isTemplate(key)) && !checked.isSecret(key))
        // The message quotes neither the header nor `<API_KEY>`: what follows "Bearer" is hidden as a secret.
        problems.add(
          () =>
            `The header Authorization holds ${isNoValue(key) ? 'a missing value, converted to a string,' : 'a placeholder'} in place of a key. Send the key after "Bearer" and a space.`,
        )
      if (!header!.startsWith('Bearer ') && checked.assume(coreAssumptions, 'auth.scheme-case') === 'exact')
        problems.add(() => `The scheme of Authorization is not written "Bearer". ${expected}.`)
      return
    }
    const other = otherHeaders.find((name) => checked.header(name) !== undefined)
    problems.add(() =>
      header !== undefined
        ? `The header Authorization does not begin with "Bearer" and a space. ${expected}.`
        : other !== undefined
          ? `There is no Authorization header, and the API does not read ${other}. ${expected}.`
          : `There is no API key. ${expected}.`,
    )
  },
}

const advice = 'Servers log URLs: send the key only as "Authorization: Bearer <API_KEY>".'

const keyInUrl: ValidationRule = {
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

export const keyRules: readonly ValidationRule[] = [missingKey, keyInUrl]
