import type { JournalRecord } from './journal-record.ts'

export class JournalBudget {
  readonly limit: number
  #bytes = 0
  #oldest: JournalRecord | undefined
  #newest: JournalRecord | undefined

  constructor(limit: number) {
    if (!(limit >= 0))
      throw new RangeError(`Failed to limit the memory of journals to ${limit} bytes: expected a number, 0 or more.`)
    this.limit = limit
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Adds a new entry. If the limit is exceeded, drops the oldest entries of any journal, but never the new one. */
  add(record: JournalRecord): void {
    const before = this.#newest
    if (before) {
      before.newer = record
      record.older = before
    } else this.#oldest = record
    this.#newest = record
    this.#bytes += record.bytes
    while (this.#bytes > this.limit && this.#oldest !== record) this.#oldest!.journal.evict()
  }

  grow(record: JournalRecord, bytes: number): void {
    record.bytes += bytes
    if (record.older || record.newer || this.#oldest === record) this.#bytes += bytes
  }

  remove(record: JournalRecord): void {
    const { older, newer } = record
    if (!older && !newer && this.#oldest !== record) return
    if (older) older.newer = newer
    else this.#oldest = newer
    if (newer) newer.older = older
    else this.#newest = older
    record.older = record.newer = undefined
    this.#bytes -= record.bytes
  }
}
