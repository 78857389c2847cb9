import { cached } from '../contract/cache.ts'
import { fitsText } from '../contract/expected.ts'
import type { JournalRecord } from './journal-record.ts'
import { type EntryFilter, hasStatus, Matcher } from './matching.ts'
import { StoredView } from './stored-view.ts'

export interface RecordQuery extends EntryFilter {
  readonly limit?: number
  /**
   * Only entries older than this id. Dropped ones do not matter then: the caller continues from
   * that entry.
   */
  readonly before?: number
}

/** The newest entries of a journal, and what it still knows of those that it dropped. */
export class KeptEntries {
  /** Entries in order; those before `#first` are dropped. */
  #records: (JournalRecord | undefined)[] = []
  #first = 0
  /** How many entries were dropped. */
  dropped = 0
  /** The statuses of dropped entries, by operation. */
  #droppedStatuses: Map<string | undefined, Set<number>> | undefined

  get size(): number {
    return this.#records.length - this.#first
  }

  get newest(): JournalRecord | undefined {
    return this.#records.at(-1)
  }

  all(): JournalRecord[] {
    return this.#records.slice(this.#first) as JournalRecord[]
  }

  get(id: number): JournalRecord | undefined {
    const first = this.#records[this.#first]
    if (!first || id < first.id) return undefined
    // Ids are consecutive, and the oldest entries are dropped first.
    return this.#records[this.#first + id - first.id]
  }

  /**
   * Finds entries, oldest first, and one that may match, but is stored too incompletely to decide.
   */
  find({ limit = Infinity, before = Infinity, ...filter }: RecordQuery) {
    const matcher = new Matcher(filter)
    const found: JournalRecord[] = []
    let undecided: JournalRecord | undefined
    // The newest come first, so that a limit ends the search.
    for (let index = this.#records.length - 1; index >= this.#first; index--) {
      const record = this.#records[index]!
      if (found.length >= limit) break
      if (record.id >= before) continue
      const match = matcher.test(new StoredView(record))
      if (match === 'yes') found.push(record)
      else if (match === 'unsure') undecided ??= record
    }
    return {
      records: found.reverse(),
      undecided,
    }
  }

  add(record: JournalRecord): void {
    this.#records.push(record)
  }

  /** Drops the oldest entry, and returns it. */
  dropOldest(): JournalRecord | undefined {
    const record = this.#records[this.#first]
    if (!record) return undefined
    this.#records[this.#first++] = undefined
    // Compacts the array once half of it is dropped entries, so each entry moves once on average.
    if (this.#first > 32 && this.#first * 2 > this.#records.length) {
      this.#records = this.all()
      this.#first = 0
    }
    this.dropped++
    const { operation, status } = record
    this.#droppedStatuses ??= new Map()
    cached(this.#droppedStatuses, operation, () => new Set()).add(status)
    return record
  }

  /**
   * Returns whether a dropped entry may match a filter. Of dropped entries, only the operation and
   * the status are known, so all else of the filter counts as matching.
   */
  mayHaveDropped({ operation, ...rest }: EntryFilter): boolean {
    return Array.from(this.#droppedStatuses ?? []).some(
      ([name, statuses]) =>
        (operation === undefined || fitsText(name, operation)) &&
        [...statuses].some((status) => hasStatus(status, rest)),
    )
  }
}
