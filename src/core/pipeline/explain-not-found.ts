import { distance } from 'fastest-levenshtein'
import { nameKey } from '../accounts/accounts.ts'
import type { Explanation } from '../contract/errors.ts'
import type { NearMiss } from '../journal/journal-record.ts'
import type { CollectionDefinition } from '../store/collection.ts'
import { brief, suggest } from '../text/messages.ts'
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
    const isOwned = definition.owner !== undefined
    const known = isOwned
      ? stored.ownedBy(account.id).oldest(maxCompared)
      : stored.all().slice(0, maxCompared)
    const keys = known.map((one) => String(definition.key(one)))
    const suggestion = suggest(String(key), keys)
    return `"${id}" is not among the ${definition.name}${isOwned ? ` of ${account.id}` : ''}${suggestion === '' ? '' : `.${suggestion}`}`
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

export function explainMissing(
  path: string,
  nearMisses: () => NearMiss[],
): Exclude<Explanation, string> {
  return (show) => {
    const near = nearMisses()
    const suggestions = [...new Set(near.map((miss) => miss.path))].map(
      (known) =>
        `${near
          .filter((miss) => miss.path === known)
          .map((miss) => miss.method)
          .join(', ')} ${known}`,
    )
    return `There is no path ${show(brief(path))}${suggestions.length > 0 ? `. Did you mean ${suggestions.join(' or ')}?` : ''}`
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
    base === '' ? Infinity : withoutBase + distanceOf(segments, below),
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
    methodDistance: operation.method === method ? 0 : 1,
  }
}

function distanceOf(segments: readonly string[], known: readonly string[]): number {
  let row = [0]
  for (const expected of known) row.push(row.at(-1)! + expected.length + 1)
  for (const segment of segments) {
    const extra = Math.min(maxDistance, segment.length + 1)
    const next = [row[0]! + extra]
    known.forEach((expected, index) => {
      const changed =
        row[index]! + (expected.startsWith('{') ? 0 : distance(segment.slice(0, 100), expected))
      next.push(Math.min(changed, row[index + 1]! + extra, next[index]! + expected.length + 1))
    })
    row = next
  }
  return row.at(-1)!
}
