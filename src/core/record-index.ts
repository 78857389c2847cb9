import type { CollectionDefinition, RecordKey } from './collection.ts'
import { Timeline, type Entry } from './timeline.ts'

/** The records of a collection by key, in the order of creation, and by owner. */
export class RecordIndex<T extends object> {
  readonly #definition: CollectionDefinition<T>
  #byKey = new Map<RecordKey, Entry<T>>()
  #byOwner = new Map<string, Timeline<T>>()
  #next = 1

  constructor(definition: CollectionDefinition<T>) {
    this.#definition = definition
  }

  /** An index of its own with the same records. */
  clone(): RecordIndex<T> {
    const copy = new RecordIndex(this.#definition)
    copy.#byKey = new Map(this.#byKey)
    copy.#byOwner = new Map(Array.from(this.#byOwner, ([owner, timeline]) => [owner, timeline.clone()]))
    copy.#next = this.#next
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

  /** Adds a record whose key is new. */
  add(record: Readonly<T>, shard?: unknown): void {
    const entry: Entry<T> = { sequence: this.#next++, record, shard }
    this.#byKey.set(this.#definition.key(record), entry)
    const owner = this.#definition.owner?.(record)
    if (owner === undefined) return
    const owned = this.#byOwner.get(owner)
    if (owned) owned.push(entry)
    else this.#byOwner.set(owner, new Timeline([entry]))
  }

  /** Puts a changed record in the place of its earlier self; key and owner are the same. */
  replace({ sequence, record: before }: Entry<T>, record: Readonly<T>, shard: unknown): void {
    const entry: Entry<T> = { sequence, record, shard }
    this.#byKey.set(this.#definition.key(before), entry)
    this.#ownedLike(before)?.replace(entry)
  }

  remove(entry: Entry<T>): void {
    this.#byKey.delete(this.#definition.key(entry.record))
    this.#ownedLike(entry.record)?.remove(entry)
  }

  #ownedLike(record: Readonly<T>): Timeline<T> | undefined {
    const owner = this.#definition.owner?.(record)
    return owner === undefined ? undefined : this.#byOwner.get(owner)
  }
}

/** Freezes a record and all that it holds. */
export function freeze<T extends object>(value: T): Readonly<T> {
  for (const name in value) {
    const part = value[name]
    if (typeof part === 'object' && part !== null) freeze(part)
  }
  return Object.freeze(value)
}
