import { Owner } from './owner.ts'
import { halve } from './halve.ts'

/** A record with its place in the order of creation. */
export interface Entry<T> {
  readonly sequence: number
  readonly record: Readonly<T>
  /** What it takes, in bytes; 0 for what a world started from. */
  readonly bytes?: number
  /** How many snapshots had been taken of the collection when it was made: those taken later hold it too. */
  readonly age?: number
}

/** A cache made from the entries, which `forget` empties when they change. */
export interface Derived {
  forget(): void
}

/** From newest to oldest, or the other way round. */
export type Order = 'desc' | 'asc'

/** A part of a timeline. */
export interface Stretch<T> {
  readonly order: Order
  /** Where it begins: after the entry of this sequence number, in the order. */
  readonly beyond?: number | undefined
  readonly matches?: ((record: Readonly<T>) => boolean) | undefined
}

/** A run of entries, and whose it is: another timeline copies it before it changes it. */
interface Chunk<T> {
  owner: Owner
  readonly entries: Entry<T>[]
}

/** The most entries of a chunk. Removing one, or the first write after a copy, moves at most this many. */
const chunkSize = 512

/**
 * Entries in the order of creation. Adding, removing and reading at any place cost the same at any length, as does the first
 * change after a copy was taken: copies share the chunks that neither has changed.
 */
export class OrderedEntries<T> {
  #owner = new Owner()
  #chunks: Chunk<T>[] = []
  #size = 0
  #derived: Map<string, Derived> | undefined

  constructor(entries: readonly Entry<T>[] = []) {
    for (const entry of entries) this.push(entry)
  }

  get size(): number {
    return this.#size
  }

  /** What was made from these entries, by name; it is forgotten when they change. */
  get derived(): Map<string, Derived> {
    return (this.#derived ??= new Map())
  }

  /** Adds the newest entry. */
  push(entry: Entry<T>): void {
    this.#forget()
    const last = this.#chunks.length - 1
    if (last >= 0 && this.#chunks[last]!.entries.length < chunkSize) this.#writable(last).push(entry)
    else this.#chunks.push({ owner: this.#owner, entries: [entry] })
    this.#size++
  }

  /** Adds an entry at its place in the order. */
  insert(entry: Entry<T>): void {
    const last = this.#chunks.at(-1)?.entries.at(-1)
    if (!last || last.sequence < entry.sequence) return this.push(entry)
    this.#forget()
    const entries = this.#writable(Math.max(0, this.#chunkOf(entry.sequence)))
    entries.splice(positionIn(entries, entry.sequence), 0, entry)
    this.#size++
  }

  /** Replaces the entry with the same sequence number. */
  replace(entry: Entry<T>): void {
    this.#forget()
    const chunk = this.#chunkOf(entry.sequence)
    const entries = this.#writable(chunk)
    entries[positionIn(entries, entry.sequence)] = entry
  }

  remove({ sequence }: Entry<T>): void {
    this.#forget()
    const chunk = this.#chunkOf(sequence)
    const entries = this.#writable(chunk)
    entries.splice(positionIn(entries, sequence), 1)
    if (entries.length === 0) this.#chunks.splice(chunk, 1)
    this.#size--
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
      this.#size -= entries.length - kept.length
      if (kept.length > 0) chunks.push({ owner: this.#owner, entries: kept })
    }
    this.#chunks = chunks
  }

  /** The oldest `count` records, oldest first. */
  oldest(count: number): Readonly<T>[] {
    const records: Readonly<T>[] = []
    for (const { entries } of this.#chunks)
      for (const { record } of entries) {
        if (records.length >= count) return records
        records.push(record)
      }
    return records
  }

  /** The newest `count` entries, newest first. */
  newest(count: number): Entry<T>[] {
    return this.take(count, { order: 'desc' })
  }

  /** The next `count` entries in an order: those beyond a sequence number, where there is one, for which `matches` holds. */
  take(count: number, { order, beyond, matches }: Stretch<T>): Entry<T>[] {
    const found: Entry<T>[] = []
    const step = order === 'desc' ? -1 : 1
    const edge = order === 'desc' ? (beyond ?? Infinity) : (beyond ?? -Infinity) + 1
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

  /** A timeline of its own with the same entries. */
  clone(): OrderedEntries<T> {
    const copy = new OrderedEntries<T>()
    copy.#chunks = this.#chunks.slice()
    copy.#size = this.#size
    this.#owner = new Owner()
    return copy
  }

  #forget(): void {
    if (!this.#derived) return
    for (const derived of this.#derived.values()) derived.forget()
    this.#derived = undefined
  }

  #writable(place: number): Entry<T>[] {
    const chunk = this.#chunks[place]!
    if (chunk.owner === this.#owner) return chunk.entries
    const entries = chunk.entries.slice()
    this.#chunks[place] = { owner: this.#owner, entries }
    return entries
  }

  /** The last chunk that begins with at most that sequence number; -1 when all begin later. */
  #chunkOf(sequence: number): number {
    return halve(this.#chunks.length, (at) => this.#chunks[at]!.entries[0]!.sequence <= sequence) - 1
  }
}

/** Where the first entry of at least that sequence number stands. */
function positionIn(entries: readonly Entry<unknown>[], sequence: number): number {
  return halve(entries.length, (at) => entries[at]!.sequence < sequence)
}
