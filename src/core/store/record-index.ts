import { SecretFinder } from '../secrets/known-secrets.ts'
import type { CollectionDefinition, RecordKey } from './collection.ts'
import { binarySearch } from '../text/values.ts'

type ListsByName<T> = SharedMap<string, OrderedEntries<T>>

/**
 * The records of a collection by key, in order, and by owner and parent. A clone shares all lists
 * with the original; each of the two copies a list or a chunk before it changes one (`Writer`).
 */
export class RecordIndex<T extends object> {
  readonly definition: CollectionDefinition<T>
  #writer = new Writer()
  #byKey = new SharedMap<RecordKey, Entry<T>>()
  #all = new OrderedEntries<T>([], this.#writer)
  /** Only collections with owners or parents have these: a map takes a world 0.6 kB. */
  #byOwner: ListsByName<T> | undefined
  #byParent: ListsByName<T> | undefined
  #nextSequence = 1
  #secretFinder: SecretFinder | undefined
  /** The size of the records that the world itself wrote. */
  bytes = 0

  constructor(definition: CollectionDefinition<T>) {
    this.definition = definition
    if (definition.owner) this.#byOwner = new SharedMap()
    if (definition.parent) this.#byParent = new SharedMap()
  }

  clone(): RecordIndex<T> {
    const copy = new RecordIndex(this.definition)
    copy.#byKey = this.#byKey.clone()
    copy.#all = this.#all
    copy.#byOwner = this.#byOwner?.clone()
    copy.#byParent = this.#byParent?.clone()
    copy.#nextSequence = this.#nextSequence
    copy.bytes = this.bytes
    // From now on, the original too copies the lists that both have before it changes them.
    this.#writer = new Writer()
    return copy
  }

  get size(): number {
    return this.#byKey.size
  }

  get(key: RecordKey): Entry<T> | undefined {
    return this.#byKey.get(key)
  }

  all(): Readonly<T>[] {
    return this.#all.oldest()
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

  secretFinder(): SecretFinder {
    const { secrets } = this.definition
    return (this.#secretFinder ??= new SecretFinder(secrets ? this.all().flatMap(secrets) : []))
  }

  /**
   * Returns an entry for a new record. @param bytes 0 if it does not count toward the world's
   * memory. @param sequence a free position; the end by default.
   */
  toEntry(record: Readonly<T>, bytes: number, sequence = this.#nextSequence): Entry<T> {
    // Most entries of fixtures have no `bytes`: that saves 8 MB for a million.
    if (bytes === 0) return { sequence, record }
    return {
      sequence,
      record,
      bytes,
    }
  }

  /**
   * Adds (`after` only), removes (`before` only) or replaces an entry. Both entries have the same
   * key, owner and parent.
   */
  swap(before: Entry<T> | undefined, after: Entry<T> | undefined): void {
    const { key, owner, parent } = this.definition
    const entry = before ?? after
    if (!entry) return
    const record = entry.record as T
    this.#secretFinder = undefined
    this.bytes += (after?.bytes ?? 0) - (before?.bytes ?? 0)
    if (after) {
      this.#byKey.set(key(record), after)
      this.#nextSequence = Math.max(this.#nextSequence, after.sequence + 1)
    } else this.#byKey.delete(key(record))
    this.#all = this.#all.writableBy(this.#writer)
    this.#all.swap(before, after)
    this.#swapInList(this.#byOwner, owner?.(record), before, after)
    this.#swapInList(this.#byParent, parent?.(record), before, after)
  }

  #swapInList(
    lists: ListsByName<T> | undefined,
    name: string | undefined,
    before: Entry<T> | undefined,
    after: Entry<T> | undefined,
  ): void {
    if (!lists || name === undefined) return
    const list = lists.get(name)?.writableBy(this.#writer) ?? new OrderedEntries([], this.#writer)
    list.swap(before, after)
    if (list.size === 0) lists.delete(name)
    else lists.set(name, list)
  }
}

/** Freezes a record with all objects in it. */
export function freezeRecord<T extends object>(value: T): Readonly<T> {
  for (const name in value) {
    const part = value[name]
    if (typeof part === 'object' && part !== null) freezeRecord(part)
  }
  return Object.freeze(value)
}

/** The most changes that a copy keeps for itself, before it adds them to those that it shares. */
const maxOwnChanges = 256

/**
 * A map whose copies share a base and the changes so far, and keep their own changes above: a copy
 * costs about the same for 1,000,000 entries as for 5. A map without copies changes its base.
 */
class SharedMap<K extends RecordKey, V> {
  #base = new Map<K, V>()
  #isShared = false
  /** The values that were set since the base is shared; `null` for a deleted key. */
  #sharedChanges: ReadonlyMap<K, V | null> = new Map()
  #ownChanges = new Map<K, V | null>()
  size = 0

  get(key: K): V | undefined {
    let found = this.#ownChanges.get(key)
    if (found === undefined) found = this.#sharedChanges.get(key)
    if (found === undefined) found = this.#base.get(key)
    return found ?? undefined
  }

  set(key: K, value: V): void {
    if (this.get(key) === undefined) this.size++
    if (this.#isShared) this.#setAboveBase(key, value)
    else this.#base.set(key, value)
  }

  delete(key: K): void {
    this.size--
    if (this.#isShared) this.#setAboveBase(key, null)
    else this.#base.delete(key)
  }

  clone(): SharedMap<K, V> {
    const copy = new SharedMap<K, V>()
    copy.#base = this.#base
    copy.#sharedChanges = this.#sharedChanges
    copy.#ownChanges = new Map(this.#ownChanges)
    copy.size = this.size
    copy.#isShared = this.#isShared = true
    return copy
  }

  #setAboveBase(key: K, value: V | null): void {
    this.#ownChanges.set(key, value)
    if (this.#ownChanges.size <= maxOwnChanges) return
    // Many own changes join the shared ones, in a new map. If these are many too, they join a new
    // base, which nothing shares.
    const changes = new Map(this.#sharedChanges)
    for (const [changed, next] of this.#ownChanges) changes.set(changed, next)
    this.#ownChanges = new Map()
    if (changes.size <= this.#base.size / 8) {
      this.#sharedChanges = changes
      return
    }
    this.#base = new Map(this.#base)
    for (const [changed, next] of changes)
      if (next === null) this.#base.delete(changed)
      else this.#base.set(changed, next)
    this.#sharedChanges = new Map()
    this.#isShared = false
  }
}

/**
 * A token for the one index that may change a list or a chunk in place; all others copy it first.
 * An instance without fields takes less than half the memory of `{}`.
 */
class Writer {}

export interface Entry<T> {
  readonly sequence: number
  readonly record: Readonly<T>
  /** Its size in bytes; 0 for records that a world started with. */
  readonly bytes?: number
}

export type Order = 'desc' | 'asc'

interface EntryRange<T> {
  readonly order?: Order
  /** The sequence of the entry before the first one, in this order. */
  readonly after?: number
  readonly matches?: (record: Readonly<T>) => boolean
}

/** Consecutive entries, and who may change them in place. */
interface Chunk<T> {
  readonly writer: Writer
  readonly entries: Entry<T>[]
  /**
   * At most the lowest sequence of its entries, and above all of the chunk before: the search for a
   * chunk reads only this, no entries.
   */
  start: number
}

/**
 * The most entries of a chunk. Removing an entry, or the first write after a copy, moves at most
 * this many.
 */
const chunkSize = 512

/**
 * Entries in the order of their sequences, which is that of creation. Copies share unchanged
 * chunks, so the length hardly matters to any cost.
 */
export class OrderedEntries<T> {
  readonly #writer: Writer
  #chunks: Chunk<T>[] = []
  size = 0
  #version: object | undefined

  constructor(entries: readonly Entry<T>[] = [], writer = new Writer()) {
    this.#writer = writer
    for (const entry of entries) this.push(entry)
  }

  /** Returns another object after each change: replies are cached by it. */
  get version(): object {
    return (this.#version ??= new Writer())
  }

  /** Adds an entry that has the highest sequence. */
  push(entry: Entry<T>): void {
    this.#version = undefined
    const last = this.#chunks.at(-1)
    if (last && last.entries.length < chunkSize)
      this.#writable(last, this.#chunks.length - 1).entries.push(entry)
    else
      this.#chunks.push({
        writer: this.#writer,
        entries: [entry],
        start: entry.sequence,
      })
    this.size++
  }

  /**
   * Puts `after` in the place of `before`. Without `before` an entry is added, without `after` one
   * is removed.
   */
  swap(before: Entry<T> | undefined, after: Entry<T> | undefined): void {
    const sequence = (before ?? after)?.sequence ?? 0
    const newest = this.#chunks.at(-1)?.entries.at(-1)?.sequence ?? -Infinity
    if (after && newest < sequence) return this.push(after)
    this.#version = undefined
    const index = this.#chunkIndexOf(sequence)
    const chunk = this.#writable(this.#chunks[index]!, index)
    const { entries } = chunk
    // To search for the object itself, no entry has to be read.
    const at = before ? entries.indexOf(before) : indexOfSequence(entries, sequence)
    if (before && after) entries[at] = after
    else if (after) {
      entries.splice(at, 0, after)
      this.size++
    } else {
      entries.splice(at, 1)
      this.size--
    }
    chunk.start = Math.min(chunk.start, sequence)
    if (entries.length === 0) this.#chunks.splice(index, 1)
  }

  oldest(count = Infinity): Readonly<T>[] {
    const records: Readonly<T>[] = []
    for (const { entries } of this.#chunks)
      for (const { record } of entries) {
        if (records.length >= count) return records
        records.push(record)
      }
    return records
  }

  newest(count = Infinity): Readonly<T>[] {
    return this.take(count, { order: 'desc' }).map(({ record }) => record)
  }

  /** Returns the first entries of a range that match, at most `count`. */
  take(count: number, { order, after, matches }: EntryRange<T> = {}): Entry<T>[] {
    const taken: Entry<T>[] = []
    const step = order === 'desc' ? -1 : 1
    // Ascending, the first entry is at the edge or above; descending, below.
    const edge = order === 'desc' ? (after ?? Infinity) : (after ?? -Infinity) + 1
    for (
      let chunkIndex = this.#chunkIndexOf(edge);
      chunkIndex >= 0 && chunkIndex < this.#chunks.length;
      chunkIndex += step
    ) {
      const { entries } = this.#chunks[chunkIndex]!
      for (
        let index = indexOfSequence(entries, edge) - (step < 0 ? 1 : 0);
        index >= 0 && index < entries.length;
        index += step
      ) {
        if (taken.length >= count) return taken
        const entry = entries[index]!
        if (matches === undefined || matches(entry.record)) taken.push(entry)
      }
    }
    return taken
  }

  /** Returns the list itself if this writer may change it, otherwise a copy for the writer. */
  writableBy(writer: Writer): OrderedEntries<T> {
    if (writer === this.#writer) return this
    const copy = new OrderedEntries<T>([], writer)
    copy.#chunks = this.#chunks.slice()
    copy.size = this.size
    return copy
  }

  /** Returns a chunk that may be changed in place: itself, or a copy that replaces it. */
  #writable(chunk: Chunk<T>, index: number): Chunk<T> {
    if (chunk.writer === this.#writer) return chunk
    const own = {
      writer: this.#writer,
      entries: chunk.entries.slice(),
      start: chunk.start,
    }
    this.#chunks[index] = own
    return own
  }

  /** Returns the index of the chunk that has a sequence, or would have it. */
  #chunkIndexOf(sequence: number): number {
    const after = binarySearch(this.#chunks, ({ start }) => start <= sequence)
    return Math.max(0, after - 1)
  }
}

/** Returns the index of the first entry with this sequence or a higher one. */
function indexOfSequence(entries: readonly Entry<unknown>[], sequence: number): number {
  return binarySearch(entries, (entry) => entry.sequence < sequence)
}
