/** A record with its place in the order of creation. */
export interface Entry<T> {
  readonly sequence: number
  readonly record: Readonly<T>
  /** Where `@msw/data` keeps it, if it does. */
  readonly shard?: unknown
  /** What it takes, in bytes; 0 for what a world started from. */
  readonly bytes?: number
  /** How many snapshots had been taken of the collection when it was made: those taken later hold it too. */
  readonly age?: number
}

/** Something that was made from a timeline's entries, and is told when they change. */
export interface Derived {
  forget(): void
}

/** From newest to oldest, or the other way round. */
export type Order = 'desc' | 'asc'

/** A part of a timeline. */
export interface Stretch {
  readonly order: Order
  /** Where it begins: after the entry of this sequence number, in the order. */
  readonly beyond?: number | undefined
}

/** Entries in the order of creation. Adding, removing and reading at either end cost the same at any length. */
export class Timeline<T> {
  #sequences: number[]
  /** A removed entry leaves a hole, so that nothing moves; holes are closed once they outnumber the entries. */
  #entries: (Entry<T> | undefined)[]
  #head = 0
  #size: number
  /** What was made from these entries, by name; it is forgotten when they change. */
  readonly derived = new Map<string, Derived>()

  constructor(entries: readonly Entry<T>[] = []) {
    this.#entries = entries.slice()
    this.#sequences = entries.map((entry) => entry.sequence)
    this.#size = entries.length
  }

  get size(): number {
    return this.#size
  }

  /** Adds the newest entry. */
  push(entry: Entry<T>): void {
    this.#forget()
    this.#entries.push(entry)
    this.#sequences.push(entry.sequence)
    this.#size++
  }

  /** Puts an entry in the place of the one with the same sequence number. */
  replace(entry: Entry<T>): void {
    this.#forget()
    this.#entries[this.#position(entry.sequence)] = entry
  }

  remove(entry: Entry<T>): void {
    this.#forget()
    this.#entries[this.#position(entry.sequence)] = undefined
    this.#size--
    while (this.#head < this.#entries.length && this.#entries[this.#head] === undefined) this.#head++
    while (this.#entries.length > this.#head && this.#entries.at(-1) === undefined) {
      this.#entries.pop()
      this.#sequences.pop()
    }
    if (this.#entries.length > 2 * this.#size + 32) this.#close()
  }

  /** The oldest `count` records, oldest first. */
  oldest(count: number): Readonly<T>[] {
    const records: Readonly<T>[] = []
    for (let at = this.#head; at < this.#entries.length && records.length < count; at++) {
      const entry = this.#entries[at]
      if (entry) records.push(entry.record)
    }
    return records
  }

  /** The newest `count` entries, newest first. */
  newest(count: number): Entry<T>[] {
    return this.take(count, { order: 'desc' })
  }

  /** The next `count` entries in an order: those beyond a sequence number, where there is one. */
  take(count: number, { order, beyond }: Stretch): Entry<T>[] {
    const entries: Entry<T>[] = []
    const step = order === 'desc' ? -1 : 1
    const start = order === 'desc' ? this.#position(beyond ?? Infinity) - 1 : beyond === undefined ? this.#head : this.#position(beyond + 1)
    for (let at = start; at >= this.#head && at < this.#entries.length && entries.length < count; at += step) {
      const entry = this.#entries[at]
      if (entry) entries.push(entry)
    }
    return entries
  }

  clone(): Timeline<T> {
    return new Timeline(this.#present())
  }

  #forget(): void {
    if (this.derived.size === 0) return
    for (const derived of this.derived.values()) derived.forget()
    this.derived.clear()
  }

  #present(): Entry<T>[] {
    return this.#entries.filter((entry) => entry !== undefined)
  }

  #close(): void {
    this.#entries = this.#present()
    this.#sequences = this.#present().map((entry) => entry.sequence)
    this.#head = 0
  }

  /** Where the first entry of at least that sequence number stands, found by halving. */
  #position(sequence: number): number {
    let low = 0
    let high = this.#sequences.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#sequences[middle]! < sequence) low = middle + 1
      else high = middle
    }
    return low
  }
}
