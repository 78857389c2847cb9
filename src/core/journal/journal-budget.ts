import type { JournalRecord } from './journal-record.ts'

/** The entries of all journals of a Greenhouse in the order of their writing, and how much they hold together. */
export class JournalBudget {
  /** How much they may hold, in bytes. */
  readonly limit: number
  #bytes = 0
  #oldest: JournalRecord | undefined
  #newest: JournalRecord | undefined

  /** @throws RangeError when `limit` is no number of bytes. */
  constructor(limit: number) {
    if (!(limit >= 0)) throw new RangeError(`Failed to give journals ${limit} bytes: expected a number, 0 or more.`)
    this.limit = limit
  }

  /** How much they hold, in bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /** Counts a new entry; the oldest of any journal make room, but never the new one. */
  add(note: JournalRecord): void {
    const before = this.#newest
    if (before) {
      before.newer = note
      note.older = before
    } else this.#oldest = note
    this.#newest = note
    this.#bytes += note.bytes
    while (this.#bytes > this.limit && this.#oldest !== note) this.#oldest!.journal.evict()
  }

  /** Counts an entry no longer. */
  remove(note: JournalRecord): void {
    const { older, newer } = note
    if (!older && !newer && this.#oldest !== note) return
    if (older) older.newer = newer
    else this.#oldest = newer
    if (newer) newer.older = older
    else this.#newest = older
    note.older = note.newer = undefined
    this.#bytes -= note.bytes
  }
}
