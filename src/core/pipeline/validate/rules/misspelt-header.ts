import { distance } from 'fastest-levenshtein'
import { cached } from '../../../contract/across-builds.ts'
import { brief } from '../../../text/messages.ts'
import type { ValidationRule } from '../judged.ts'

/** Headers that Greenhouse reads, and headers that clients may think they must send. */
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

export const misspeltHeaderRule: ValidationRule = {
  id: 'misspelt-header',
  about: 'headers',
  finds: 'a misspelt name of a header that Greenhouse reads: `Authorisation`, `Idempotency_Key`',
  check({ request }, problems) {
    for (const name in request.headers) {
      const suggestion = suggestName(name)
      if (suggestion !== null)
        problems.add(() => `The API does not read the header ${brief(name)}. Did you mean "${suggestion}"?`)
    }
  },
}

function suggestName(name: string): string | null {
  if (name.length > longestKnown) return null
  return cached(known, maxKnown, name, () => find(name.toLowerCase()) ?? null)
}

function find(name: string): string | undefined {
  if (byPlainName.has(name)) return undefined
  const [plain, withoutMark] = [name, name.replace(/^x-/, '')].map((text) => text.replaceAll('_', '-'))
  let best: string | undefined
  let nearest = Infinity
  for (const [right, shown] of byPlainName) {
    const difference = Math.min(distance(plain!, right), distance(withoutMark!, right))
    if (difference >= nearest || difference > (right.length < 8 ? 1 : 2)) continue
    nearest = difference
    best = shown
  }
  return best
}
