import type { RecordKey } from '../store/collection.ts'
import type { RecordChange } from '../store/records.ts'

export type Change = WorldChange | StateChange | RecordsChange | FilesChange

/** A world was created, reset, restored or removed; `dropped` to make room for others. */
export interface WorldChange {
  readonly type: 'world'
  readonly world: string
  readonly change: 'created' | 'reset' | 'restored' | 'deleted' | 'dropped'
}

export interface StateChange {
  readonly type: 'world-ends' | 'scenarios' | 'assumptions' | 'clock' | 'snapshots' | 'journal-cleared'
  readonly world: string
}

export interface RecordsChange {
  readonly type: 'records'
  readonly world: string
  readonly collection: string
  readonly change: RecordChange
  readonly key: RecordKey | undefined
}

interface FilesChange {
  readonly type: 'reload' | 'problems'
}

export class Changes {
  readonly #observers = new Set<(change: Change) => void>()
  #isQuiet = false

  get isObserved(): boolean {
    return this.#observers.size > 0 && !this.#isQuiet
  }

  /** Suppresses the changes of `work`: one later event stands for all of them. */
  quietly<T>(work: () => T): T {
    this.#isQuiet = true
    try {
      return work()
    } finally {
      this.#isQuiet = false
    }
  }

  /** Calls `observer` synchronously with every change; it must not change anything. Returns a function that ends this. */
  observe(observer: (change: Change) => void): () => void {
    const own = (change: Change) => observer(change)
    this.#observers.add(own)
    return () => void this.#observers.delete(own)
  }

  notify(change: Change): void {
    if (!this.#isQuiet) for (const observer of this.#observers) observer(change)
  }
}
