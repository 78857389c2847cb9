import { distance } from 'fastest-levenshtein'
import { brief } from '../../../definitions/quote.ts'
import { defineRule } from '../rule.ts'

/** Headers that Greenhouse reads, and headers that clients might believe they have to send. */
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

/** Standard headers that look similar to one of these. */
const others = new Set([
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'accept-ranges',
  'content-length',
  'content-range',
  'proxy-authorization',
  'expect',
  'x-requested-with',
])

const byPlainName = new Map(read.map((name) => [name.toLowerCase(), name]))

/** The suggestion for each earlier name: clients repeat the same headers. */
const known = new Map<string, string | null>()
const mostKnown = 1_000
const longestKnown = 100

export const misspeltHeaderRule = defineRule({
  id: 'misspelt-header',
  about: 'headers',
  finds: 'a misspelt name of a header that Greenhouse reads: `Authorisation`, `Idempotency_Key`',
  check({ request }, problems) {
    for (const name in request.headers) {
      const meant = toMeant(name)
      if (meant !== null)
        problems.add(() => `The API does not read the header ${brief(name)}. Did you mean "${meant}"?`)
    }
  },
})

function toMeant(name: string): string | null {
  let meant = known.get(name)
  if (meant !== undefined) return meant
  if (name.length > longestKnown) return null
  meant = find(name.toLowerCase()) ?? null
  if (known.size >= mostKnown) known.clear()
  known.set(name, meant)
  return meant
}

function find(name: string): string | undefined {
  if (byPlainName.has(name) || others.has(name)) return undefined
  const [plain, withoutMark] = [name, name.replace(/^x-/, '')].map((text) => text.replaceAll('_', '-'))
  let best: string | undefined
  let nearest = Infinity
  for (const [right, shown] of byPlainName) {
    const apart = Math.min(distance(plain!, right), distance(withoutMark!, right))
    if (apart >= nearest || apart > (right.length < 8 ? 1 : 2)) continue
    nearest = apart
    best = shown
  }
  return best
}
