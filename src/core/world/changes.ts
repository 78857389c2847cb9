import type { RecordKey } from '../store/collection.ts'
import type { RecordChange } from '../store/records.ts'

/** Something that changed, and in which world. What it is now is asked of the world. */
export type Change = WorldChange | StateChange | RecordsChange | FilesChange

/** A world began, began anew, went back to a snapshot, or is gone: `dropped` to make room for others. */
export interface WorldChange {
  readonly type: 'world'
  readonly world: string
  readonly change: 'created' | 'reset' | 'restored' | 'deleted' | 'dropped'
}

/** Something of a world was set, or its journal begins anew. */
export interface StateChange {
  readonly type: 'scenarios' | 'assumptions' | 'clock' | 'snapshots' | 'journal-cleared'
  readonly world: string
}

/** Records of a collection were written. `key` is absent when there were several. */
export interface RecordsChange {
  readonly type: 'records'
  readonly world: string
  readonly collection: string
  readonly change: RecordChange
  readonly key: RecordKey | undefined
}

/** Worlds start from other fixtures or scenarios, or there is something else to tell of their files. */
export interface FilesChange {
  readonly type: 'reload' | 'problems'
}

/** Tells those who look what changes in the worlds of a service. While nobody looks, nothing is made to be told. */
export class Changes {
  readonly #observers = new Set<(change: Change) => void>()
  #isQuiet = false

  /** Whether somebody looks. */
  get isObserved(): boolean {
    return this.#observers.size > 0 && !this.#isQuiet
  }

  /** Tells none of the changes that `work` makes: one that follows stands for all of them. */
  quietly<T>(work: () => T): T {
    this.#isQuiet = true
    try {
      return work()
    } finally {
      this.#isQuiet = false
    }
  }

  /** Calls back with every change, in the midst of it: nothing may be changed from there. Returns what ends it. */
  observe(observer: (change: Change) => void): () => void {
    const own = (change: Change) => observer(change)
    this.#observers.add(own)
    return () => void this.#observers.delete(own)
  }

  tell(change: Change): void {
    if (!this.#isQuiet) for (const observer of this.#observers) observer(change)
  }
}
