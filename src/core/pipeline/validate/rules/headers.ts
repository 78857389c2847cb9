import { distance } from 'fastest-levenshtein'
import { cached } from '../../../contract/across-builds.ts'
import { brief } from '../../../text/messages.ts'
import { longestIdempotencyKey } from '../../input.ts'
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

const misspeltHeader: ValidationRule = {
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

const invalidHeader: ValidationRule = {
  id: 'invalid-header',
  about: 'headers',
  finds: 'a header with an invalid value: an `Idempotency-Key` that is too long or empty',
  check(checked, problems) {
    const { operation, area, request } = checked
    if (!operation?.writes || !area.hasIdempotencyKeys || request.method !== 'POST') return
    const key = checked.header('idempotency-key')
    if (key === '') problems.add(() => 'Idempotency-Key is empty: it is ignored.')
    if (key !== undefined && key.length > longestIdempotencyKey)
      problems.add(() => `Idempotency-Key must have at most ${longestIdempotencyKey} characters.`)
  },
}

export const headerRules: readonly ValidationRule[] = [misspeltHeader, invalidHeader]

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
