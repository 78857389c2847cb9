/** A record with its place in the order of creation. `shard` is where `@msw/data` keeps it, if it does. */
export interface Entry<T> {
  readonly sequence: number
  readonly record: Readonly<T>
  readonly shard?: unknown
}

/** How many things derived from a timeline are kept. */
const mostDerived = 32

/** Entries in the order of creation. Adding, removing and reading at either end cost the same at any length. */
export class Timeline<T> {
  #sequences: number[]
  /** A removed entry leaves a hole, so that nothing moves; holes are closed once they outnumber the entries. */
  #entries: (Entry<T> | undefined)[]
  #head = 0
  #size: number
  readonly #derived = new Map<string, unknown>()

  constructor(entries: readonly Entry<T>[] = []) {
    this.#entries = entries.slice()
    this.#sequences = entries.map((entry) => entry.sequence)
    this.#size = entries.length
  }

  get size(): number {
    return this.#size
  }

  /** What `make` gives, made once until the next change. `name` says all that it depends on besides the entries. */
  derived<D>(name: string, make: () => D): D {
    let value = this.#derived.get(name) as D | undefined
    if (value === undefined) {
      value = make()
      if (this.#derived.size >= mostDerived) this.#derived.clear()
      this.#derived.set(name, value)
    }
    return value
  }

  /** Adds the newest entry. */
  push(entry: Entry<T>): void {
    this.#derived.clear()
    this.#entries.push(entry)
    this.#sequences.push(entry.sequence)
    this.#size++
  }

  /** Puts an entry in the place of the one with the same sequence number. */
  replace(entry: Entry<T>): void {
    this.#derived.clear()
    this.#entries[this.#position(entry.sequence)] = entry
  }

  remove(entry: Entry<T>): void {
    this.#derived.clear()
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

  /** The newest `count` entries, newest first; only those before a sequence number where there is one. */
  newest(count: number, before?: number): Entry<T>[] {
    const entries: Entry<T>[] = []
    for (let at = before === undefined ? this.#entries.length : this.#position(before); at-- > this.#head && entries.length < count; ) {
      const entry = this.#entries[at]
      if (entry) entries.push(entry)
    }
    return entries
  }

  clone(): Timeline<T> {
    return new Timeline(this.#present())
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
