import type { JournalEntry } from '../../core/journal/journal-entry.ts'

/** How many entries of a world are remembered. */
const most = 5_000

/** How many worlds are remembered. */
const mostWorlds = 1_000

/** The entries that were printed: what a journal and a stream of events both have is printed once. */
export class Printed {
  /** By world; in both, the oldest first. */
  readonly #ids = new Map<string, Set<number>>()

  /** Whether an entry is new; from then on it is not. */
  add({ world, id }: Pick<JournalEntry, 'world' | 'id'>): boolean {
    const ids = this.#ids.get(world) ?? new Set()
    if (ids.has(id)) return false
    ids.add(id)
    this.#ids.set(world, ids)
    forgetOldest(ids, most)
    forgetOldest(this.#ids, mostWorlds)
    return true
  }

  /** A world began anew, and so did the ids of its entries; all did without a world. */
  forget(world?: string): void {
    if (world === undefined) this.#ids.clear()
    else this.#ids.delete(world)
  }
}

function forgetOldest<K>(kept: Set<K> | Map<K, unknown>, largest: number): void {
  if (kept.size <= largest) return
  for (const oldest of kept.keys()) return void kept.delete(oldest)
}
