import type { JournalEntry } from '../core/journal/journal-entry.ts'
import type { LimitedQuery, ViolationFilter } from '../core/journal/matching.ts'
import type { RequestViolation } from '../core/journal/violation.ts'
import type { OperationId } from './generated/known-names.ts'

/** Selects journal entries. An entry must match every given field. */
export interface JournalQuery extends LimitedQuery {
  /** The operation; `true` for any, `false` for a request that no operation has. */
  operation?: OperationId | boolean | undefined
}

/** Selects violations. A violation must match every given field. */
export interface ViolationQuery extends ViolationFilter {
  operation?: OperationId | undefined
}

/**
 * The requests that a world received, and its replies. Fingerprints replace keys and other secrets.
 * When the journal is full, the oldest entries are dropped.
 */
export interface Journal {
  /** How many entries the journal holds. */
  readonly size: number
  /** How much memory the entries take, in bytes (an estimate). */
  readonly bytes: number
  /** How many entries were dropped to make room. */
  readonly evicted: number
  /**
   * Returns the entries that match, oldest first; all of them without `query`.
   * @example
   * world.journal.calls({ operation: 'plants.create', status: 400 })
   * world.journal.calls({ method: 'POST', path: '/v1/apps/*', headers: { 'Idempotency-Key': true }, body: { name: 'Shop' } })
   * @throws EvictedError when no entry matches, but a dropped or shortened one might have;
   * RangeError or TypeError for an unknown operation or field.
   */
  calls(query?: JournalQuery): JournalEntry[]
  /**
   * Returns the violations of the contract in all requests, oldest first. The replies do not
   * matter.
   * @example expect(world.journal.violations({ ignore: ['missing-key'] })).toEqual([])
   * @throws EvictedError when no violation matches, but a dropped request might have had one;
   * RangeError or TypeError for an unknown operation, rule or field.
   */
  violations(query?: ViolationQuery): RequestViolation[]
  /** Removes all entries. Ids continue from the last one. */
  clear(): void
  /**
   * Calls `listener` with every new entry, once its reply is sent. An entry whose reply is delayed
   * or streamed comes twice, the first time with `pending`. The listener gets `undefined` when the
   * journal ends. Returns a function that unsubscribes.
   */
  subscribe(listener: (entry: JournalEntry | undefined) => void): () => void
}
