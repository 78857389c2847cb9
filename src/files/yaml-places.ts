import { isMap, isNode, isScalar, isSeq, visit, type Document, type Pair, type Scalar, type YAMLMap } from 'yaml'

/** What a key is called once the map is an object. */
export function toName({ value }: Scalar): string {
  return String(value ?? '')
}

/** Finds where the parts of a document stand. */
export function createLocator({ contents }: Document): (path: readonly PropertyKey[]) => number {
  const pairs = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>()
  const pairsOf = (map: YAMLMap) => {
    let known = pairs.get(map)
    if (!known)
      pairs.set(
        map,
        (known = new Map(map.items.flatMap((pair) => (isScalar(pair.key) ? [[toName(pair.key), pair] as const] : [])))),
      )
    return known
  }
  return (path) => {
    let offset = contents?.range?.[0] ?? 0
    let node: unknown = contents
    for (const step of path) {
      const pair: Pair | undefined = isMap(node) ? pairsOf(node).get(String(step)) : undefined
      node = pair ? pair.value : isSeq(node) ? node.items[Number(step)] : undefined
      const place = pair ? pair.key : node
      if (!isNode(place) || !place.range) break
      offset = place.range[0]
    }
    return offset
  }
}

/** Where the first alias of a document stands. */
export function offsetOfAlias(document: Document): number {
  let offset = 0
  visit(document, {
    Alias(_, alias) {
      offset = alias.range?.[0] ?? 0
      return visit.BREAK
    },
  })
  return offset
}
