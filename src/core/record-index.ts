import type { CollectionDefinition, RecordKey } from './collection.ts'
import { Timeline, type Entry } from './timeline.ts'

/** What an entry takes in an index besides its record, in bytes. */
const entryWeight = 120

/** Where a record is kept, what it takes, and since when. */
type Home = Pick<Entry<object>, 'shard' | 'bytes' | 'age'>

/** The records of a collection by key, in the order of creation, and by owner. */
export class RecordIndex<T extends object> {
  readonly #definition: CollectionDefinition<T>
  #byKey = new Map<RecordKey, Entry<T>>()
  #byOwner = new Map<string, Timeline<T>>()
  #byParent = new Map<string, Timeline<T>>()
  #next = 1
  #bytes = 0

  constructor(definition: CollectionDefinition<T>) {
    this.#definition = definition
  }

  /** What it holds beyond what its world started from, in bytes: records, and itself where it is a copy. */
  get bytes(): number {
    return this.#bytes
  }

  /** What a copy of it takes besides the records, in bytes. */
  get cloneWeight(): number {
    return entryWeight * this.size
  }

  /** An index of its own with the same records. */
  clone(): RecordIndex<T> {
    const copy = new RecordIndex(this.#definition)
    copy.#byKey = new Map(this.#byKey)
    copy.#byOwner = clonedTimelines(this.#byOwner)
    copy.#byParent = clonedTimelines(this.#byParent)
    copy.#next = this.#next
    copy.#bytes = this.#bytes + this.cloneWeight
    return copy
  }

  get size(): number {
    return this.#byKey.size
  }

  get(key: RecordKey): Entry<T> | undefined {
    return this.#byKey.get(key)
  }

  /** All records, oldest first. */
  all(): Readonly<T>[] {
    return Array.from(this.#byKey.values(), (entry) => entry.record)
  }

  ownedBy(owner: string): Timeline<T> | undefined {
    return this.#byOwner.get(owner)
  }

  partsOf(parent: string): Timeline<T> | undefined {
    return this.#byParent.get(parent)
  }

  /** Adds a record whose key is new. */
  add(record: Readonly<T>, { shard, bytes = 0, age = 0 }: Home = {}): void {
    const entry: Entry<T> = { sequence: this.#next++, record, shard, bytes, age }
    this.#bytes += bytes
    this.#byKey.set(this.#definition.key(record), entry)
    push(this.#byOwner, this.#definition.owner?.(record), entry)
    push(this.#byParent, this.#definition.parent?.(record), entry)
  }

  /** Puts a changed record in the place of its earlier self; key and owner are the same. */
  replace({ sequence, record: before, bytes: formerBytes = 0 }: Entry<T>, record: Readonly<T>, { shard, bytes = 0, age = 0 }: Home): void {
    const entry: Entry<T> = { sequence, record, shard, bytes, age }
    this.#bytes += bytes - formerBytes
    this.#byKey.set(this.#definition.key(before), entry)
    for (const timeline of this.#timelinesOf(before)) timeline.replace(entry)
  }

  remove(entry: Entry<T>): void {
    this.#bytes -= entry.bytes ?? 0
    this.#byKey.delete(this.#definition.key(entry.record))
    for (const timeline of this.#timelinesOf(entry.record)) timeline.remove(entry)
  }

  #timelinesOf(record: Readonly<T>): Timeline<T>[] {
    const { owner, parent } = this.#definition
    const owned = owner && this.#byOwner.get(owner(record))
    const parts = parent && this.#byParent.get(parent(record))
    return [owned, parts].filter((timeline) => timeline !== undefined)
  }
}

function push<T>(timelines: Map<string, Timeline<T>>, name: string | undefined, entry: Entry<T>): void {
  if (name === undefined) return
  const timeline = timelines.get(name)
  if (timeline) timeline.push(entry)
  else timelines.set(name, new Timeline([entry]))
}

function clonedTimelines<T>(timelines: ReadonlyMap<string, Timeline<T>>): Map<string, Timeline<T>> {
  return new Map(Array.from(timelines, ([name, timeline]) => [name, timeline.clone()]))
}

/** Freezes a record and all that it holds. */
export function freeze<T extends object>(value: T): Readonly<T> {
  for (const name in value) {
    const part = value[name]
    if (typeof part === 'object' && part !== null) freeze(part)
  }
  return Object.freeze(value)
}
