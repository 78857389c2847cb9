import { distance } from 'fastest-levenshtein'
import type { Operation } from './operation.ts'

/** An operation that is close to what was asked for, and what differs. */
export interface NearMiss {
  readonly operation: string
  readonly method: string
  /** From the service's root. */
  readonly path: string
  /** `method`: the path has other methods; `path`: the path is another one. */
  readonly differs: 'method' | 'path'
}

/** How many are told. */
const most = 3

/** The operations closest to a method and a path that none has, the closest first. @param path from the service's root. */
export function findNearMisses(method: string, path: string, areas: readonly { base: string; operations: readonly Operation[] }[]): NearMiss[] {
  const asked = path.split('/').filter((segment) => segment !== '')
  return areas
    .flatMap(({ base, operations }) => operations.map((operation) => toCandidate(operation, base + operation.path, method, asked)))
    .filter(({ apart, length }) => apart <= Math.max(3, length / 2))
    .sort((a, b) => a.apart - b.apart || a.unlike - b.unlike)
    .slice(0, most)
    .map(({ nearMiss }) => nearMiss)
}

function toCandidate(operation: Operation, path: string, method: string, asked: readonly string[]) {
  const known = path.split('/').slice(1)
  let apart = 0
  for (let index = 0; index < Math.max(asked.length, known.length); index++) {
    const segment = asked[index]
    const expected = known[index]
    if (expected === undefined || segment === undefined) apart += (segment ?? expected!).length + 1
    else if (!expected.startsWith('{')) apart += distance(segment.slice(0, 100), expected)
  }
  const nearMiss: NearMiss = { operation: operation.id, method: operation.method, path, differs: apart === 0 ? 'method' : 'path' }
  return { nearMiss, apart, unlike: operation.method === method ? 0 : 1, length: path.length }
}
