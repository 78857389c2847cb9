import type { Key } from '../accounts/accounts.ts'
import { addListener, type Texts } from '../text/values.ts'
import type { RecordKey } from '../store/collection.ts'
import { byteSizeOf, type WorldMemory } from '../store/memory.ts'
import type { RecordChange } from '../store/records.ts'

/** A change that observers hear of, such as the panel. */
export type Change =
  | WorldChange
  | StateChange
  | RecordsChange
  | { readonly type: 'reload' | 'problems' | 'unrecorded' }

/** A world was created, reset, restored or removed; `dropped` to make room for others. */
export interface WorldChange {
  readonly type: 'world'
  readonly world: string
  readonly change: 'created' | 'reset' | 'restored' | 'deleted' | 'dropped'
}

export interface StateChange {
  readonly type:
    | 'world-ends'
    | 'scenarios'
    | 'assumptions'
    | 'clock'
    | 'snapshots'
    | 'journal-cleared'
  readonly world: string
}

export interface RecordsChange {
  readonly type: 'records'
  readonly world: string
  readonly collection: string
  readonly change: RecordChange
  readonly key: RecordKey | undefined
}

/** Reports the changes of all worlds to observers. */
export class Changes {
  readonly #observers = new Set<(change: Change) => void>()
  #isQuiet = false

  get isObserved(): boolean {
    return this.#observers.size > 0 && !this.#isQuiet
  }

  /** Reports no change that `work` makes: the caller reports one that stands for all of them. */
  quietly<T>(work: () => T): T {
    this.#isQuiet = true
    try {
      return work()
    } finally {
      this.#isQuiet = false
    }
  }

  observe(observer: (change: Change) => void): () => void {
    return addListener(this.#observers, observer)
  }

  notify(change: Change): void {
    if (!this.#isQuiet) for (const observer of this.#observers) observer(change)
  }
}

export interface ReceivedAnswer {
  readonly delivery: string
  readonly status: number | null
  readonly error: string | null
  readonly response: string | null
  readonly latency: number
}

/**
 * A change that no request made: the owner of the world did, or a receiver of webhooks answered.
 * The names are those of a case's steps. Requests are in the journal, and time does the rest.
 */
export type OutsideChange =
  | {
      readonly use: readonly object[]
      readonly place?: number
    }
  | { readonly use_only: readonly object[] }
  | { readonly clear: string | true }
  | { readonly assume: Texts }
  | {
      readonly clock: {
        readonly now: number
        readonly frozen: boolean
      }
    }
  | {
      readonly put: {
        readonly collection: string
        readonly record: object
        readonly place?: number
      }
    }
  | {
      readonly remove: {
        readonly collection: string
        readonly key: RecordKey
      }
    }
  | {
      readonly replace: {
        readonly collection: string
        readonly records: readonly object[]
      }
    }
  | {
      readonly refill: {
        readonly account: string
        readonly window?: string
      }
    }
  | { readonly create_key: Key }
  | {
      readonly trigger: {
        readonly type: string
        readonly data?: object
        readonly account?: string
        readonly app?: string
      }
    }
  | { readonly redeliver: string }
  | { readonly snapshot: string }
  | { readonly restore: string }
  | { readonly answer: ReceivedAnswer }

export interface PastChange {
  /** The id of the newest journal entry at that time; 0 before the first. */
  readonly after: number
  readonly at: number
  readonly change: OutsideChange
}

/** A moment in the history of a world. */
export interface PastPoint {
  readonly history: History
  readonly last: PastChange | undefined
  readonly after: number
  readonly at: number
}

/** The most changes of a history; with more, it breaks off. */
const maxChanges = 2_000

/** The bytes that a change takes, besides its values. */
const changeSize = 120

/**
 * The changes of a world since its start, oldest first. With the start and the journal, they are
 * enough to repeat what happened.
 */
export class History {
  readonly #memory: WorldMemory
  changes: PastChange[] = []
  #bytes = 0
  /** Why the world can't be repeated from its start; `undefined` if it can. */
  gap: string | undefined

  constructor(memory: WorldMemory) {
    this.#memory = memory
  }

  /** Adds a change at the end. */
  add(past: PastChange): void {
    const { change } = past
    if (this.gap !== undefined) return
    const isTaken = (name: string) =>
      this.changes.some(({ change: one }) => 'snapshot' in one && one.snapshot === name)
    if ('restore' in change && !isTaken(change.restore))
      return this.breakOff('a snapshot from before the last reset was restored')
    if (this.changes.length >= maxChanges)
      return this.breakOff(`more than ${maxChanges} changes were made from outside`)
    this.#insert(this.changes.length, past)
  }

  #insert(index: number, past: PastChange): void {
    this.changes.splice(index, 0, past)
    this.#countBytes(changeSize + byteSizeOf(past.change))
  }

  #countBytes(bytes: number): void {
    this.#bytes += bytes
    this.#memory.add(bytes)
  }

  /** Adds a change to the past, right after a point. Does nothing if that history has ended. */
  insert({ history, last, after, at }: PastPoint, change: OutsideChange): void {
    if (history !== this || this.gap !== undefined) return
    const index = last ? this.changes.indexOf(last) + 1 : 0
    this.#insert(index, {
      after,
      at,
      change,
    })
  }

  /** Forgets all changes: from now on, the world can't be repeated from its start. */
  breakOff(why: string): void {
    this.gap ??= why
    this.changes = []
    this.#countBytes(-this.#bytes)
  }
}
