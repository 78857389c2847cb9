/** Returns the value of a key in a cache; computes and stores it if there is none. Clears a cache that has `most` values first. */
export function cached<K, V>(cache: Map<K, V>, most: number, key: K, compute: (key: K) => V): V {
  let value = cache.get(key)
  if (value === undefined) {
    value = compute(key)
    if (cache.size >= most) cache.clear()
    cache.set(key, value)
  }
  return value
}
