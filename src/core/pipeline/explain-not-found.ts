import { distance } from 'fastest-levenshtein'
import { nameKey } from '../accounts/accounts.ts'
import type { Explain, Explanation } from '../contract/errors.ts'
import type { NearMiss } from '../journal/journal-record.ts'
import type { CollectionDefinition } from '../store/collection.ts'
import { brief, describeClause } from '../text/messages.ts'
import type { AuthenticatedExchange, Operation } from './operation.ts'
import type { RoutedAreas } from './router.ts'

export function explainNotFound<T extends object>(
  { world, caller }: AuthenticatedExchange,
  definition: CollectionDefinition<T>,
  key: string | number | bigint,
  parent?: string,
): Explanation {
  const { account } = caller
  const stored = world.collection(definition)
  const record = stored.get(key)
  const owner = record && definition.owner?.(record)
  const home = record && definition.parent?.(record)
  const { secret } = caller.key
  return (show) => {
    const id = show(brief(String(key)))
    if (owner !== undefined && owner !== account.id)
      return `${id} belongs to another account, ${owner}; ${nameKey(world, secret)} belongs to ${account.id}`
    if (parent !== undefined && home !== undefined && home !== parent)
      return `${id} belongs to ${home}, not to ${show(brief(parent))}`
    if (record) return `${id} exists, but a scenario hides it`
    const keysOf = (records: readonly Readonly<T>[]) =>
      records.map((one) => String(definition.key(one)))
    const absent = `"${id}" is not among the ${definition.name}`
    if (definition.owner === undefined)
      return describeClause(absent, String(key), keysOf(stored.all().slice(0, maxCompared)))
    const own = stored.ownedBy(account.id).oldest(maxCompared)
    return describeClause(`${absent} of ${account.id}`, String(key), keysOf(own))
  }
}

const maxCompared = 1_000

const max = 3

/** The largest distance of a near miss. An extra segment adds at most this much. */
const maxDistance = 3

const withoutBase = 1

export function findNearMisses(method: string, path: string, areas: RoutedAreas): NearMiss[] {
  const segments = path.split('/', 32).filter((segment) => segment !== '')
  return areas
    .flatMap(({ area: { base, operations } }) =>
      operations.map((operation) => toCandidate(operation, base, method, segments)),
    )
    .filter(({ difference }) => difference <= maxDistance)
    .sort((a, b) => a.difference - b.difference || a.methodDistance - b.methodDistance)
    .slice(0, max)
    .map(({ nearMiss }) => nearMiss)
}

export function explainMissing(path: string, nearMisses: () => NearMiss[]): Explain {
  return (show) => {
    const methods = new Map<string, string[]>()
    for (const miss of nearMisses()) {
      const others = methods.get(miss.path) ?? []
      methods.set(miss.path, [...others, miss.method])
    }
    const suggestions = Array.from(methods, ([known, own]) => `${own.join(', ')} ${known}`)
    const missing = `There is no path ${show(brief(path))}`
    if (suggestions.length === 0) return missing
    return `${missing}. Did you mean ${suggestions.join(' or ')}?`
  }
}

function toCandidate(
  operation: Operation,
  base: string,
  method: string,
  segments: readonly string[],
) {
  const path = base + operation.path
  const below = operation.path.split('/').slice(1)
  // A path without the base may have a typo too.
  const difference = Math.min(
    distanceOf(segments, path.split('/').slice(1)),
    withoutBase + distanceOf(segments, below),
  )
  const nearMiss: NearMiss = {
    operation: operation.id,
    method: operation.method,
    path,
    differs: difference === 0 ? 'method' : 'path',
  }
  return {
    nearMiss,
    difference,
    methodDistance: Number(operation.method !== method),
  }
}

function distanceOf(segments: readonly string[], known: readonly string[]): number {
  // The cost to come from the segments so far to each part of the known path.
  let start = 0
  let total = 0
  let row = known.map((expected) => (total += expected.length + 1))
  for (const segment of segments) {
    const extra = Math.min(maxDistance, segment.length + 1)
    let before = start
    let left = (start += extra)
    row = known.map((expected, index) => {
      const above = row[index] ?? 0
      const changed = before + distanceOfSegment(segment, expected)
      before = above
      return (left = Math.min(changed, above + extra, left + expected.length + 1))
    })
  }
  return row.at(-1) ?? start
}

function distanceOfSegment(segment: string, expected: string): number {
  if (expected.startsWith('{')) return 0
  return distance(segment.slice(0, 100), expected)
}
