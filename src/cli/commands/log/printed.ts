import type { JournalEntry } from '../../../core/journal/journal-entry.ts'

const max = 5_000

const maxWorlds = 1_000

/** The printed entries, so that an entry in both the journal and the stream is printed once. */
export class PrintedIds {
  /** Ids by world; oldest first in both. */
  readonly #ids = new Map<string, Set<number>>()

  add({ world, id }: Pick<JournalEntry, 'world' | 'id'>): boolean {
    const ids = this.#ids.get(world) ?? new Set()
    if (ids.has(id)) return false
    ids.add(id)
    this.#ids.set(world, ids)
    forgetOldest(ids, max)
    forgetOldest(this.#ids, maxWorlds)
    return true
  }

  forget(world?: string): void {
    if (world === undefined) this.#ids.clear()
    else this.#ids.delete(world)
  }
}

function forgetOldest<K>(kept: Set<K> | Map<K, unknown>, largest: number): void {
  if (kept.size > largest) kept.delete(kept.keys().next().value!)
}
