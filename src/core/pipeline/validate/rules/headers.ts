import { distance } from 'fastest-levenshtein'
import { headerText, toSecret } from '../../../http/request.ts'
import { cached } from '../../../contract/cache.ts'
import { withoutWorld } from '../../../text/world-key.ts'
import { decodeWherePossible } from '../../../text/values.ts'
import { brief, quote } from '../../../text/messages.ts'
import { describeBrokenRule } from '../../../contract/json-schema.ts'
import { idempotencyKeySchema } from '../../input.ts'
import {
  type CheckedRequest,
  isNoValue,
  isTemplate,
  type ValidationRule,
} from '../checked-request.ts'

const otherHeaders = ['x-api-key', 'api-key', 'apikey', 'x-auth-token', 'x-access-token']

const expected = 'Send "Authorization: Bearer <API_KEY>"'

const advice = 'Servers log URLs: send the key only as "Authorization: Bearer <API_KEY>".'

const read = [
  'Authorization',
  'Content-Type',
  'Content-Encoding',
  'Accept',
  'Idempotency-Key',
  'X-Greenhouse-World',
  'X-Greenhouse-Scenario',
  'X-Request-Id',
  'X-RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
]

const byPlainName = new Map(read.map((name) => [name.toLowerCase(), name]))

const known = new Map<string, string | null>()
const maxKnown = 1_000
const longestKnown = 100

export const headerRules: readonly ValidationRule[] = [
  {
    id: 'missing-key',
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
          // The message quotes neither the header nor `<API_KEY>`: what follows "Bearer" is hidden
          // as a secret.
          problems.add(
            () =>
              `The header Authorization holds ${isNoValue(key) ? 'a missing value, converted to a string,' : 'a placeholder'} in place of a key. Send the key after "Bearer" and a space.`,
          )
        if (!header?.startsWith('Bearer ') && checked.assume('auth.scheme-case') === 'exact')
          problems.add(() => `The scheme of Authorization is not written "Bearer". ${expected}.`)
        return
      }
      const other = otherHeaders.find((name) => checked.header(name) !== undefined)
      problems.add(() => {
        if (header !== undefined)
          return `The header Authorization does not begin with "Bearer" and a space. ${expected}.`
        if (other === undefined) return `There is no API key. ${expected}.`
        return `There is no Authorization header, and the API does not read ${other}. ${expected}.`
      })
    },
  },
  {
    id: 'key-in-url',
    finds: 'a key or another secret in the path or the query',
    check(checked, problems) {
      for (const name of checked.secretParameters)
        problems.add(
          () => `The query parameter ${quote(name)} holds a key or another secret. ${advice}`,
        )
      // Fixed segments of the operation's path are not keys.
      const { operation, params, path } = checked
      const parts = operation ? Object.values(params) : path.split('/', 32)
      if (parts.some((part) => checked.isSecret(decodeWherePossible(part))))
        problems.add(() => `The path holds a key or another secret. ${advice}`)
    },
  },
  {
    id: 'misspelt-header',
    finds: 'a misspelt name of a header that Greenhouse reads: `Authorisation`, `Idempotency_Key`',
    check({ request }, problems) {
      for (const name in request.headers) {
        if (name.length > longestKnown) continue
        const suggestion = cached(
          known,
          name,
          () => findSimilarHeader(name.toLowerCase()) ?? null,
          maxKnown,
        )
        if (suggestion !== null)
          problems.add(
            () => `The API does not read the header ${brief(name)}. Did you mean "${suggestion}"?`,
          )
      }
    },
  },
  {
    id: 'invalid-header',
    finds: 'a header with an invalid value: an `Idempotency-Key` that is too long or empty',
    check(checked, problems) {
      const { operation, area, request } = checked
      if (!operation?.writes || !area.hasIdempotencyKeys || request.method !== 'POST') return
      const key = checked.header('idempotency-key')
      if (key === '') problems.add(() => 'Idempotency-Key is empty: it is ignored.')
      const wrong = describeBrokenRule('Idempotency-Key', key, idempotencyKeySchema)
      if (wrong !== undefined) problems.add(() => wrong)
    },
  },
  {
    id: 'accept',
    finds: 'an `Accept` that excludes the reply: JSON, or events for a stream',
    check(checked, problems) {
      const text = headerText(checked.request.headers, 'accept')
      if (text === undefined) return
      const type = toReplyType(checked)
      if (type === undefined || acceptsType(text, type)) return
      problems.add(() => `Accept is ${quote(text)}, which excludes the reply: ${type}.`)
    },
  },
]

function findSimilarHeader(name: string): string | undefined {
  if (byPlainName.has(name)) return undefined
  const plain = name.replaceAll('_', '-')
  const withoutMark = plain.replace(/^x-/, '')
  let best: string | undefined
  let nearest = Infinity
  for (const [right, shown] of byPlainName) {
    const difference = Math.min(distance(plain, right), distance(withoutMark, right))
    if (difference >= nearest || difference > (right.length < 8 ? 1 : 2)) continue
    nearest = difference
    best = shown
  }
  return best
}

/**
 * Returns whether an Accept header accepts a media type; the most specific range decides (RFC 9110,
 * 12.5.1).
 */
function acceptsType(header: string, type: string): boolean {
  // An empty header accepts everything.
  if (header.trim() === '') return true
  const ranges = [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*']
  let best = ranges.length
  let takes = false
  for (const part of header.toLowerCase().split(',')) {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim())
    const index = ranges.indexOf(range)
    // Parameters such as `application/json;version=2` are ignored.
    if (index < 0 || index > best) continue
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    const isTaken = quality === undefined || Number(quality.slice('q='.length)) !== 0
    takes = index === best ? takes || isTaken : isTaken
    best = index
  }
  return takes
}

function toReplyType({ operation, sent }: CheckedRequest): string | undefined {
  if (operation?.stream && sent?.['stream'] === true) return 'text/event-stream'
  return operation?.result && 'application/json'
}
