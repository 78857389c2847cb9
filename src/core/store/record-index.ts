import type { CollectionDefinition, RecordKey } from './collection.ts'
import { type Entry, OrderedEntries, Owner } from './ordered-entries.ts'

const max = 4_096
/** A larger map gets more buckets when they hold this many entries each: copying one of 32 takes 1 µs, one of 244 took 10. */
const fullBucket = 16
const fewestBuckets = 512
const maxBuckets = 32_768
const growth = 8
const pageSize = 128

interface Owned<T> {
  readonly owner: Owner
  readonly parts: T
}

type Bucket<K, V> = Owned<Map<K, V>>
type Page<K, V> = Owned<Bucket<K, V>[]>

/** Copies share unchanged parts: one costs little more for 1,000,000 entries than for 5,000. */
class SharedMap<K extends string | number | bigint, V> {
  #owner = new Owner()
  #pages: Page<K, V>[]
  #buckets = 1
  size = 0

  constructor(pages?: Page<K, V>[]) {
    this.#pages = pages ?? this.#createPages(1)
  }

  get(key: K): V | undefined {
    return this.#bucketOf(this.#indexOf(key)).get(key)
  }

  set(key: K, value: V): void {
    const entries = this.#writable(this.#indexOf(key))
    const before = entries.size
    entries.set(key, value)
    this.size += entries.size - before
    if (this.size > max && this.size > fullBucket * this.#buckets && this.#buckets < maxBuckets) this.#redistribute()
  }

  delete(key: K): void {
    const index = this.#indexOf(key)
    if (this.#bucketOf(index).has(key) && this.#writable(index).delete(key)) this.size--
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
    copy.size = this.size
    this.#owner = new Owner()
    return copy
  }

  *#bucketsUnlike(other: SharedMap<K, V>): Generator<Map<K, V>> {
    const isAlike = this.#buckets === other.#buckets
    for (const [index, page] of this.#pages.entries()) {
      const others = isAlike ? other.#pages[index]! : undefined
      if (page === others) continue
      for (const [at, bucket] of page.parts.entries()) if (bucket !== others?.parts[at]) yield bucket.parts
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
  if (typeof key === 'number') return key % maxBuckets
  if (typeof key === 'bigint') return Number(BigInt.asUintN(16, key))
  let sum = key.length
  for (let at = Math.max(0, key.length - 6); at < key.length; at++) sum = (Math.imul(sum, 31) + key.charCodeAt(at)) | 0
  return sum
}

/** The size of an entry in a copy of an index, without its record, in bytes. */
const entrySize = 120

type Held = Pick<Entry<object>, 'bytes' | 'age'>

/** Only the index with the token `owner` may change the list; another one copies it first. */
interface NamedList<T> {
  readonly owner: Owner
  readonly entries: OrderedEntries<T>
}

export interface RecordDifference<T> {
  readonly key: RecordKey
  readonly sequence: number
  readonly before: Readonly<T> | undefined
  readonly after: Readonly<T> | undefined
}

class EntriesByName<T> {
  #byName: SharedMap<string, NamedList<T>>
  #owner = new Owner()

  constructor(byName = new SharedMap<string, NamedList<T>>()) {
    this.#byName = byName
  }

  get(name: string): OrderedEntries<T> | undefined {
    return this.#byName.get(name)?.entries
  }

  writable(name: string): OrderedEntries<T> {
    const known = this.#byName.get(name)
    if (known?.owner === this.#owner) return known.entries
    const entries = known ? known.entries.clone() : new OrderedEntries<T>()
    this.#byName.set(name, { owner: this.#owner, entries })
    return entries
  }

  drop(name: string): void {
    if (this.get(name)?.size === 0) this.#byName.delete(name)
  }

  delete(name: string): void {
    this.#byName.delete(name)
  }

  clone(): EntriesByName<T> {
    this.#owner = new Owner()
    return new EntriesByName(this.#byName.clone())
  }
}

export class RecordIndex<T extends object> {
  readonly definition: CollectionDefinition<T>
  #byKey = new SharedMap<RecordKey, Entry<T>>()
  #all = new OrderedEntries<T>()
  #byOwner: EntriesByName<T> | undefined
  #byParent: EntriesByName<T> | undefined
  #next = 1
  /** The bytes beyond the world's start: records, and the index itself if it is a copy. */
  bytes = 0
  /** The part of `bytes` that this copy and the copies in snapshots take. */
  #copyBytes = 0

  constructor(definition: CollectionDefinition<T>) {
    this.definition = definition
    if (definition.owner) this.#byOwner = new EntriesByName()
    if (definition.parent) this.#byParent = new EntriesByName()
  }

  get cloneSize(): number {
    return entrySize * this.size
  }

  /** Counts at most this many copies: no snapshot holds others any more. */
  forgetCopies(max: number): void {
    const freed = Math.max(0, this.#copyBytes - max * this.cloneSize)
    this.#copyBytes -= freed
    this.bytes -= freed
  }

  clone(): RecordIndex<T> {
    const copy = new RecordIndex(this.definition)
    copy.#byKey = this.#byKey.clone()
    copy.#all = this.#all.clone()
    copy.#byOwner = this.#byOwner?.clone()
    copy.#byParent = this.#byParent?.clone()
    copy.#next = this.#next
    copy.#copyBytes = this.#copyBytes + this.cloneSize
    copy.bytes = this.bytes + this.cloneSize
    return copy
  }

  get size(): number {
    return this.#byKey.size
  }

  get(key: RecordKey): Entry<T> | undefined {
    return this.#byKey.get(key)
  }

  all(): Readonly<T>[] {
    return this.#all.oldest(Infinity)
  }

  first(matches: (record: Readonly<T>) => boolean): Readonly<T> | undefined {
    return this.#all.take(1, { matches })[0]?.record
  }

  ownedBy(owner: string): OrderedEntries<T> | undefined {
    return this.#byOwner?.get(owner)
  }

  childrenOf(parent: string): OrderedEntries<T> | undefined {
    return this.#byParent?.get(parent)
  }

  /** Compares both as they are now, whatever is written meanwhile. A record replaced by an equal one counts too. */
  changesSince(former: RecordIndex<T>): Iterable<RecordDifference<T>> {
    return former === this ? [] : differences(this.#byKey.clone(), former.#byKey.clone())
  }

  /** Adds a record with a new key, as the newest, or at a free position in the order. */
  add(record: Readonly<T>, { bytes = 0, age = 0 }: Held = {}, sequence = this.#next): void {
    this.#next = Math.max(this.#next, sequence + 1)
    this.putBack(createEntry(sequence, record, bytes, age))
  }

  putBack(entry: Entry<T>): void {
    this.bytes += entry.bytes ?? 0
    this.#byKey.set(this.definition.key(entry.record), entry)
    for (const list of this.#listsOf(entry.record)) list.insert(entry)
  }

  replace(
    { sequence, record: before, bytes: formerBytes = 0 }: Entry<T>,
    record: Readonly<T>,
    { bytes = 0, age = 0 }: Held,
  ): void {
    const entry = createEntry(sequence, record, bytes, age)
    this.bytes += bytes - formerBytes
    this.#byKey.set(this.definition.key(before), entry)
    for (const list of this.#listsOf(before)) list.replace(entry)
  }

  remove(entry: Entry<T>): void {
    this.bytes -= entry.bytes ?? 0
    this.#byKey.delete(this.definition.key(entry.record))
    for (const list of this.#listsOf(entry.record)) list.remove(entry)
    const { owner, parent } = this.definition
    const name = owner?.(entry.record as T)
    if (name !== undefined) this.#byOwner!.drop(name)
    if (parent) this.#byParent!.drop(parent(entry.record as T))
  }

  removeChildren(parents: readonly string[]): Entry<T>[] {
    const gone = parents.flatMap((parent) => this.#byParent?.get(parent)?.take(Infinity) ?? [])
    if (gone.length === 0) return gone
    const byOwner = new Map<string, number[]>()
    const { key, owner } = this.definition
    for (const { record, bytes = 0, sequence } of gone) {
      this.bytes -= bytes
      this.#byKey.delete(key(record as T))
      const name = owner?.(record as T)
      if (name === undefined) continue
      const known = byOwner.get(name)
      if (known) known.push(sequence)
      else byOwner.set(name, [sequence])
    }
    this.#all.removeAll(Float64Array.from(gone, ({ sequence }) => sequence).sort())
    for (const [name, sequences] of byOwner) {
      this.#byOwner!.writable(name).removeAll(Float64Array.from(sequences).sort())
      this.#byOwner!.drop(name)
    }
    for (const parent of parents) this.#byParent!.delete(parent)
    return gone
  }

  #listsOf(record: Readonly<T>): OrderedEntries<T>[] {
    const { owner, parent } = this.definition
    const lists = [this.#all]
    const name = owner?.(record)
    if (name !== undefined) lists.push(this.#byOwner!.writable(name))
    if (parent) lists.push(this.#byParent!.writable(parent(record)))
    return lists
  }
}

/** Leaves out fields with default values, as most entries have them: that saves 8 MB for a million. */
function createEntry<T>(sequence: number, record: Readonly<T>, bytes: number, age: number): Entry<T> {
  if (age !== 0) return { sequence, record, bytes, age }
  return bytes === 0 ? { sequence, record } : { sequence, record, bytes }
}

function* differences<T>(
  present: SharedMap<RecordKey, Entry<T>>,
  former: SharedMap<RecordKey, Entry<T>>,
): Generator<RecordDifference<T>> {
  for (const [key, before, after] of present.changesSince(former))
    yield { key, sequence: (before ?? after)!.sequence, before: before?.record, after: after?.record }
}

export function freezeRecord<T extends object>(value: T): Readonly<T> {
  for (const name in value) {
    const part = value[name]
    if (typeof part === 'object' && part !== null) freezeRecord(part)
  }
  return Object.freeze(value)
}
