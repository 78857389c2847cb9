import { binarySearch } from '../text/values.ts'

/** A token for the owner of a shared part: only the owner may change it. An instance without fields takes less than half the memory of `{}`. */
export class Owner {}

export interface Entry<T> {
  readonly sequence: number
  readonly record: Readonly<T>
  /** Its size in bytes; 0 for records that a world started with. */
  readonly bytes?: number
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
  #version: object | undefined

  constructor(entries: readonly Entry<T>[] = []) {
    for (const entry of entries) this.push(entry)
  }

  get version(): object {
    return (this.#version ??= new Owner())
  }

  push(entry: Entry<T>): void {
    this.#version = undefined
    const last = this.#chunks.length - 1
    if (last >= 0 && this.#chunks[last]!.entries.length < chunkSize) this.#writable(last).push(entry)
    else {
      this.#chunks.push({ owner: this.#owner, entries: [entry] })
      this.#starts.push(entry.sequence)
    }
    this.size++
  }

  /** Puts an entry in the place of another: without `before` it is added, without `after` one is removed. */
  swap(before: Entry<T> | undefined, after: Entry<T> | undefined): void {
    const { sequence } = (before ?? after)!
    const newest = this.#chunks.at(-1)?.entries.at(-1)
    if (!before && (!newest || newest.sequence < sequence)) return this.push(after!)
    this.#version = undefined
    const chunk = Math.max(0, this.#chunkOf(sequence))
    const entries = this.#writable(chunk)
    // The search for the object itself reads no other one.
    const index = before ? entries.indexOf(before) : positionIn(entries, sequence)
    const formerLength = entries.length
    entries.splice(index, before ? 1 : 0, ...(after ? [after] : []))
    this.#starts[chunk] = Math.min(this.#starts[chunk]!, sequence)
    if (entries.length === 0) {
      this.#chunks.splice(chunk, 1)
      this.#starts.splice(chunk, 1)
    }
    this.size += entries.length - formerLength
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
