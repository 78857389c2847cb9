export function cached<K, V>(cache: Map<K, V>, max: number, key: K, compute: (key: K) => V): V {
  let value = cache.get(key)
  if (value === undefined) {
    value = compute(key)
    if (cache.size >= max) cache.clear()
    cache.set(key, value)
  }
  return value
}
