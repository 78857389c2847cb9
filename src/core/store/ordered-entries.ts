import { binarySearch } from '../text/values.ts'

/** A token for the owner of a shared part: only the owner may change it. An instance without fields takes less than half the memory of `{}`. */
export class Owner {}

export interface Entry<T> {
  readonly sequence: number
  readonly record: Readonly<T>
  /** Its size in bytes; 0 for records that a world started with. */
  readonly bytes?: number
  /** The number of snapshots of the collection when it was created; later snapshots contain it too. */
  readonly age?: number
}

export interface Derived {
  forget(): void
}

export type Order = 'desc' | 'asc'

interface EntryRange<T> {
  readonly order?: Order
  readonly after?: number | undefined
  readonly matches?: ((record: Readonly<T>) => boolean) | undefined
}

/** Consecutive entries, and their owner: another list copies the chunk before it changes it. */
interface Chunk<T> {
  owner: Owner
  readonly entries: Entry<T>[]
}

/** The most entries of a chunk. Removing an entry, or the first write after a copy, moves at most this many. */
const chunkSize = 512

/** In the order of creation. Copies share unchanged chunks, so the length hardly matters to any cost. */
export class OrderedEntries<T> {
  #owner = new Owner()
  #chunks: Chunk<T>[] = []
  /** For each chunk, a number at most its lowest sequence and above the chunk before: a search reads only these. */
  #starts: number[] = []
  size = 0
  #derived: Map<string, Derived> | undefined

  constructor(entries: readonly Entry<T>[] = []) {
    for (const entry of entries) this.push(entry)
  }

  get derived(): Map<string, Derived> {
    return (this.#derived ??= new Map())
  }

  push(entry: Entry<T>): void {
    this.#forget()
    const last = this.#chunks.length - 1
    if (last >= 0 && this.#chunks[last]!.entries.length < chunkSize) this.#writable(last).push(entry)
    else {
      this.#chunks.push({ owner: this.#owner, entries: [entry] })
      this.#starts.push(entry.sequence)
    }
    this.size++
  }

  insert(entry: Entry<T>): void {
    const last = this.#chunks.at(-1)?.entries.at(-1)
    if (!last || last.sequence < entry.sequence) return this.push(entry)
    this.#forget()
    const chunk = Math.max(0, this.#chunkOf(entry.sequence))
    const entries = this.#writable(chunk)
    entries.splice(positionIn(entries, entry.sequence), 0, entry)
    this.#starts[chunk] = Math.min(this.#starts[chunk]!, entry.sequence)
    this.size++
  }

  replace(entry: Entry<T>): void {
    this.#forget()
    const chunk = this.#chunkOf(entry.sequence)
    const entries = this.#writable(chunk)
    entries[positionIn(entries, entry.sequence)] = entry
  }

  /** Removes an entry: the object itself, so that the search reads no other one. */
  remove(entry: Entry<T>): void {
    this.#forget()
    const chunk = this.#chunkOf(entry.sequence)
    const entries = this.#writable(chunk)
    entries.splice(entries.indexOf(entry), 1)
    if (entries.length === 0) {
      this.#chunks.splice(chunk, 1)
      this.#starts.splice(chunk, 1)
    }
    this.size--
  }

  /** Removes many entries in one pass. @param sequences their sequence numbers, the lowest first. */
  removeAll(sequences: ArrayLike<number>): void {
    this.#forget()
    let next = 0
    const chunks: Chunk<T>[] = []
    for (const chunk of this.#chunks) {
      const { entries } = chunk
      if (next >= sequences.length || entries.at(-1)!.sequence < sequences[next]!) {
        chunks.push(chunk)
        continue
      }
      const kept = entries.filter(({ sequence }) => {
        if (sequence !== sequences[next]) return true
        next++
        return false
      })
      this.size -= entries.length - kept.length
      if (kept.length > 0) chunks.push({ owner: this.#owner, entries: kept })
    }
    this.#chunks = chunks
    this.#starts = chunks.map((chunk) => chunk.entries[0]!.sequence)
  }

  oldest(count: number): Readonly<T>[] {
    const records: Readonly<T>[] = []
    for (const { entries } of this.#chunks)
      for (const { record } of entries) {
        if (records.length >= count) return records
        records.push(record)
      }
    return records
  }

  newest(count: number): Entry<T>[] {
    return this.take(count, { order: 'desc' })
  }

  take(count: number, { order, after, matches }: EntryRange<T> = {}): Entry<T>[] {
    const found: Entry<T>[] = []
    const step = order === 'desc' ? -1 : 1
    const edge = order === 'desc' ? (after ?? Infinity) : (after ?? -Infinity) + 1
    for (
      let chunk = Math.max(0, this.#chunkOf(edge));
      chunk >= 0 && chunk < this.#chunks.length && found.length < count;
      chunk += step
    ) {
      const { entries } = this.#chunks[chunk]!
      for (
        let at = positionIn(entries, edge) - (step < 0 ? 1 : 0);
        at >= 0 && at < entries.length && found.length < count;
        at += step
      )
        if (matches === undefined || matches(entries[at]!.record)) found.push(entries[at]!)
    }
    return found
  }

  clone(): OrderedEntries<T> {
    const copy = new OrderedEntries<T>()
    copy.#chunks = this.#chunks.slice()
    copy.#starts = this.#starts.slice()
    copy.size = this.size
    this.#owner = new Owner()
    return copy
  }

  #forget(): void {
    if (!this.#derived) return
    for (const derived of this.#derived.values()) derived.forget()
    this.#derived = undefined
  }

  #writable(index: number): Entry<T>[] {
    const chunk = this.#chunks[index]!
    if (chunk.owner === this.#owner) return chunk.entries
    const entries = chunk.entries.slice()
    this.#chunks[index] = { owner: this.#owner, entries }
    return entries
  }

  #chunkOf(sequence: number): number {
    return binarySearch(this.#chunks.length, (at) => this.#starts[at]! <= sequence) - 1
  }
}

function positionIn(entries: readonly Entry<unknown>[], sequence: number): number {
  return binarySearch(entries.length, (at) => entries[at]!.sequence < sequence)
}
