import { Owner } from './owner.ts'

const most = 4_096
/** A larger map gets more buckets when they hold this many entries each: copying one of 32 takes 1 µs, one of 244 took 10. */
const fullBucket = 16
const fewestBuckets = 512
const mostBuckets = 32_768
const growth = 8
const pageSize = 128

interface Owned<T> {
  readonly owner: Owner
  readonly parts: T
}

type Bucket<K, V> = Owned<Map<K, V>>
type Page<K, V> = Owned<Bucket<K, V>[]>

/**
 * A map without an order, whose copies share unchanged parts: a copy, and the first change after it, cost little more
 * for 1,000,000 entries than for 5,000. The entries are spread over buckets, and the buckets over pages.
 */
export class SharedMap<K extends string | number | bigint, V> {
  #owner = new Owner()
  #pages: Page<K, V>[]
  #buckets = 1
  #size = 0

  constructor(pages?: Page<K, V>[]) {
    this.#pages = pages ?? this.#createPages(1)
  }

  get size(): number {
    return this.#size
  }

  get(key: K): V | undefined {
    return this.#bucketOf(this.#indexOf(key)).get(key)
  }

  set(key: K, value: V): void {
    const entries = this.#writable(this.#indexOf(key))
    const before = entries.size
    entries.set(key, value)
    this.#size += entries.size - before
    if (this.#size > most && this.#size > fullBucket * this.#buckets && this.#buckets < mostBuckets)
      this.#redistribute()
  }

  delete(key: K): void {
    const index = this.#indexOf(key)
    if (this.#bucketOf(index).has(key) && this.#writable(index).delete(key)) this.#size--
  }

  *changesSince(former: SharedMap<K, V>): Generator<[key: K, before: V | undefined, after: V | undefined]> {
    for (const entries of this.#bucketsUnlike(former))
      for (const [key, after] of entries) {
        const before = former.get(key)
        if (before !== after) yield [key, before, after]
      }
    for (const entries of former.#bucketsUnlike(this))
      for (const [key, before] of entries) if (this.get(key) === undefined) yield [key, before, undefined]
  }

  clone(): SharedMap<K, V> {
    const copy = new SharedMap(this.#pages.slice())
    copy.#buckets = this.#buckets
    copy.#size = this.#size
    this.#owner = new Owner()
    return copy
  }

  *#bucketsUnlike(other: SharedMap<K, V>): Generator<Map<K, V>> {
    const isAlike = this.#buckets === other.#buckets
    for (const [index, page] of this.#pages.entries()) {
      const others = isAlike ? other.#pages[index]! : undefined
      if (page === others) continue
      for (const [place, bucket] of page.parts.entries()) if (bucket !== others?.parts[place]) yield bucket.parts
    }
  }

  #writable(index: number): Map<K, V> {
    const number = Math.floor(index / pageSize)
    let page = this.#pages[number]!
    if (page.owner !== this.#owner) this.#pages[number] = page = { owner: this.#owner, parts: page.parts.slice() }
    const bucket = page.parts[index % pageSize]!
    if (bucket.owner === this.#owner) return bucket.parts
    const entries = new Map(bucket.parts)
    page.parts[index % pageSize] = { owner: this.#owner, parts: entries }
    return entries
  }

  #redistribute(): void {
    const former = this.#pages
    this.#buckets = Math.max(fewestBuckets, growth * this.#buckets)
    this.#pages = this.#createPages(this.#buckets)
    for (const page of former)
      for (const bucket of page.parts)
        for (const [key, value] of bucket.parts) this.#bucketOf(this.#indexOf(key)).set(key, value)
  }

  #createPages(buckets: number): Page<K, V>[] {
    const owner = this.#owner
    const createBucket = () => ({ owner, parts: new Map<K, V>() })
    return Array.from({ length: Math.ceil(buckets / pageSize) }, () => ({
      owner,
      parts: Array.from({ length: Math.min(buckets, pageSize) }, createBucket),
    }))
  }

  #bucketOf(index: number): Map<K, V> {
    return this.#pages[Math.floor(index / pageSize)]!.parts[index % pageSize]!.parts
  }

  #indexOf(key: K): number {
    return this.#buckets === 1 ? 0 : hash(key) & (this.#buckets - 1)
  }
}

/** Hashes the last characters, which differ most between ids and between numbers. */
function hash(key: string | number | bigint): number {
  if (typeof key === 'number') return key % mostBuckets
  if (typeof key === 'bigint') return Number(BigInt.asUintN(16, key))
  let sum = key.length
  for (let at = Math.max(0, key.length - 6); at < key.length; at++) sum = (Math.imul(sum, 31) + key.charCodeAt(at)) | 0
  return sum
}
