import { Owner } from './owner.ts'
import type { CollectionDefinition, RecordKey } from './collection.ts'
import { SharedMap } from './shared-map.ts'
import { OrderedEntries, type Entry } from './ordered-entries.ts'

/** The size of an entry in a copy of an index, without its record, in bytes. */
const entryWeight = 120

type Held = Pick<Entry<object>, 'bytes' | 'age'>

/**
 * The records of one owner or parent. Only the index with the token `owner` may change the list; another one copies it
 * first.
 */
interface NamedList<T> {
  readonly owner: Owner
  readonly entries: OrderedEntries<T>
}

export interface RecordDifference<T> {
  readonly key: RecordKey
  readonly sequence: number
  /** Absent for an added record. */
  readonly before: Readonly<T> | undefined
  /** Absent for a removed record. */
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
  #bytes = 0
  /** The part of `bytes` that this copy and the copies in snapshots take. */
  #copyBytes = 0

  constructor(definition: CollectionDefinition<T>) {
    this.definition = definition
    if (definition.owner) this.#byOwner = new EntriesByName()
    if (definition.parent) this.#byParent = new EntriesByName()
  }

  /** The bytes beyond the world's start: records, and the index itself if it is a copy. */
  get bytes(): number {
    return this.#bytes
  }

  get cloneWeight(): number {
    return entryWeight * this.size
  }

  /** Counts at most this many copies: no snapshot holds others any more. */
  forgetCopies(most: number): void {
    const freed = Math.max(0, this.#copyBytes - most * this.cloneWeight)
    this.#copyBytes -= freed
    this.#bytes -= freed
  }

  clone(): RecordIndex<T> {
    const copy = new RecordIndex(this.definition)
    copy.#byKey = this.#byKey.clone()
    copy.#all = this.#all.clone()
    copy.#byOwner = this.#byOwner?.clone()
    copy.#byParent = this.#byParent?.clone()
    copy.#next = this.#next
    copy.#copyBytes = this.#copyBytes + this.cloneWeight
    copy.#bytes = this.#bytes + this.cloneWeight
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

  partsOf(parent: string): OrderedEntries<T> | undefined {
    return this.#byParent?.get(parent)
  }

  /**
   * Yields the differences from a former index lazily, in no particular order. It compares both as they are now,
   * whatever is written meanwhile. A record that was replaced by an equal one counts too.
   */
  changesSince(former: RecordIndex<T>): Iterable<RecordDifference<T>> {
    return former === this ? [] : differences(this.#byKey.clone(), former.#byKey.clone())
  }

  /** Adds a record with a new key, as the newest, or at a free position in the order. */
  add(record: Readonly<T>, { bytes = 0, age = 0 }: Held = {}, sequence = this.#next): void {
    this.#next = Math.max(this.#next, sequence + 1)
    this.putBack(createEntry(sequence, record, bytes, age))
  }

  putBack(entry: Entry<T>): void {
    this.#bytes += entry.bytes ?? 0
    this.#byKey.set(this.definition.key(entry.record), entry)
    for (const list of this.#listsOf(entry.record)) list.insert(entry)
  }

  replace(
    { sequence, record: before, bytes: formerBytes = 0 }: Entry<T>,
    record: Readonly<T>,
    { bytes = 0, age = 0 }: Held,
  ): void {
    const entry = createEntry(sequence, record, bytes, age)
    this.#bytes += bytes - formerBytes
    this.#byKey.set(this.definition.key(before), entry)
    for (const list of this.#listsOf(before)) list.replace(entry)
  }

  remove(entry: Entry<T>): void {
    this.#bytes -= entry.bytes ?? 0
    this.#byKey.delete(this.definition.key(entry.record))
    for (const list of this.#listsOf(entry.record)) list.remove(entry)
    const { owner, parent } = this.definition
    const name = owner?.(entry.record as T)
    if (name !== undefined) this.#byOwner!.drop(name)
    if (parent) this.#byParent!.drop(parent(entry.record as T))
  }

  removeParts(parents: readonly string[]): Entry<T>[] {
    const gone = parents.flatMap((parent) => this.#byParent?.get(parent)?.take(Infinity) ?? [])
    if (gone.length === 0) return gone
    const byOwner = new Map<string, number[]>()
    const { key, owner } = this.definition
    for (const { record, bytes = 0, sequence } of gone) {
      this.#bytes -= bytes
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

/**
 * Leaves out fields with default values. Most entries are from the world's start, before any snapshot: that saves eight megabytes
 * for a million of them.
 */
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
