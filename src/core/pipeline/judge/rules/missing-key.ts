import { toSecret } from '../../../accounts/bearer.ts'
import { coreAssumptions } from '../../assumptions.ts'
import { defineRule } from '../rule.ts'

/** Where other services want their keys. */
const otherHeaders = ['x-api-key', 'api-key', 'apikey', 'x-auth-token', 'x-access-token']

const expected = 'Send "Authorization: Bearer <API_KEY>"'

export const missingKeyRule = defineRule({
  id: 'missing-key',
  about: 'headers',
  isRefused: true,
  finds: 'no key in the header `Authorization`, or not as `Bearer <API_KEY>`',
  check(judged, problems) {
    if (!judged.operation) return
    const header = judged.header('authorization')
    if (toSecret(header) !== undefined) {
      if (!header!.startsWith('Bearer ') && judged.assume(coreAssumptions, 'auth.scheme-case') === 'exact')
        problems.add(() => `The scheme of Authorization is not written "Bearer". ${expected}.`)
      return
    }
    const other = otherHeaders.find((name) => judged.header(name) !== undefined)
    problems.add(() =>
      header !== undefined
        ? `The header Authorization does not begin with "Bearer" and a space. ${expected}.`
        : other !== undefined
          ? `There is no header Authorization, and nothing reads ${other}. ${expected}.`
          : `There is no API key. ${expected}.`,
    )
  },
})
