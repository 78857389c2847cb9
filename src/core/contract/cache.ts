/** A map, or a weak one, which has no size. */
interface ValueCache<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): unknown
  readonly size?: number
  clear?(): void
}

/** Returns what is kept for a key, and makes it first if there is none. */
export function cached<K, V>(
  cache: ValueCache<K, V>,
  key: K,
  make: (key: K) => V,
  max = Infinity,
): V {
  let value = cache.get(key)
  if (value === undefined) {
    value = make(key)
    if ((cache.size ?? 0) >= max) cache.clear?.()
    cache.set(key, value)
  }
  return value
}
