import { Owner } from './owner.ts'
/**
 * How many maps the entries are spread over beyond each size: a million entries are a few hundred in each. Both are powers of
 * two.
 */
const levels = [
  { beyond: 32_768, buckets: 4_096 },
  { beyond: 4_096, buckets: 1_024 },
] as const
const maxBuckets = levels[0].buckets

/** Some of the entries, and their owner: another map copies them before it changes them. */
interface Bucket<K, V> {
  owner: Owner
  entries: Map<K, V>
}

/**
 * A map without an order, whose copies share unchanged parts: a copy, and the first change after it, cost little more
 * for 1,000,000 entries than for 5,000.
 */
export class SharedMap<K extends string | number | bigint, V> {
  #owner = new Owner()
  #buckets: Bucket<K, V>[] = [{ owner: this.#owner, entries: new Map() }]
  #size = 0
  /** The most entries for the present number of maps. */
  #capacity: number = levels.at(-1)!.beyond

  get size(): number {
    return this.#size
  }

  get(key: K): V | undefined {
    return this.#buckets[this.#indexOf(key)]!.entries.get(key)
  }

  set(key: K, value: V): void {
    const entries = this.#writable(this.#indexOf(key))
    const before = entries.size
    entries.set(key, value)
    this.#size += entries.size - before
    if (this.#size > this.#capacity) this.#redistribute()
  }

  delete(key: K): void {
    const index = this.#indexOf(key)
    if (this.#buckets[index]!.entries.has(key) && this.#writable(index).delete(key)) this.#size--
  }

  /** Yields the entries that differ from another map. Skips shared parts. */
  *changesSince(former: SharedMap<K, V>): Generator<[key: K, before: V | undefined, after: V | undefined]> {
    const isAlike = this.#buckets.length === former.#buckets.length
    for (const [index, { entries }] of this.#buckets.entries())
      if (!isAlike || former.#buckets[index]!.entries !== entries)
        for (const [key, after] of entries) {
          const before = former.get(key)
          if (before !== after) yield [key, before, after]
        }
    for (const [index, { entries }] of former.#buckets.entries())
      if (!isAlike || this.#buckets[index]!.entries !== entries)
        for (const [key, before] of entries) if (this.get(key) === undefined) yield [key, before, undefined]
  }

  /** Returns an independent copy. */
  clone(): SharedMap<K, V> {
    const copy = new SharedMap<K, V>()
    copy.#buckets = this.#buckets.slice()
    copy.#size = this.#size
    copy.#capacity = this.#capacity
    this.#owner = new Owner()
    return copy
  }

  #writable(index: number): Map<K, V> {
    const bucket = this.#buckets[index]!
    if (bucket.owner === this.#owner) return bucket.entries
    const entries = new Map(bucket.entries)
    this.#buckets[index] = { owner: this.#owner, entries }
    return entries
  }

  #redistribute(): void {
    const { buckets } = levels.find(({ beyond }) => this.#size > beyond)!
    const former = this.#buckets
    this.#buckets = Array.from({ length: buckets }, () => ({ owner: this.#owner, entries: new Map<K, V>() }))
    for (const { entries } of former)
      for (const [key, value] of entries) this.#buckets[this.#indexOf(key)]!.entries.set(key, value)
    this.#capacity = buckets === maxBuckets ? Infinity : levels[0].beyond
  }

  #indexOf(key: K): number {
    return hash(key) & (this.#buckets.length - 1)
  }
}

/** Hashes the last characters, which differ most between ids and between numbers. */
function hash(key: string | number | bigint): number {
  if (typeof key === 'number') return key % maxBuckets
  if (typeof key === 'bigint') return Number(BigInt.asUintN(16, key))
  let sum = key.length
  for (let at = Math.max(0, key.length - 6); at < key.length; at++) sum = (Math.imul(sum, 31) + key.charCodeAt(at)) | 0
  return sum
}
