import type { EntryComparison } from '../core/journal/entry-comparison.ts'
import type { ExpectedText } from '../core/journal/expected.ts'
import type { JournalEntry } from '../core/journal/journal-entry.ts'
import type { JournalRecord } from '../core/journal/journal-record.ts'
import type { Journal as CoreJournal, JournalObserver, RecordQuery } from '../core/journal/journal.ts'
import type { RequestViolation, ViolationRule } from '../core/journal/violation.ts'
import type { OperationId } from './known-names.ts'

/** Selects journal entries. An entry must meet every field that is given. */
export interface JournalQuery {
  operation?: OperationId | undefined
  /** The reply's status. */
  status?: number | undefined
  /** The largest number of entries to return: the newest ones. */
  limit?: number | undefined
  /** `true`: only requests that break the contract; `false`: only those that do not. */
  violations?: boolean | undefined
  /** The method, in upper or lower case. */
  method?: string | undefined
  /**
   * The path from the root of the service, without the world: `/v1/apps`. In a pattern `*` stands for any characters but `/`, a
   * step such as `{app_id}` or `:id` for any step, and a step `**` for any number of steps: `/v1/apps/*`.
   */
  path?: string | undefined
  /** Headers by name, in any case: the value, `true` for any, `false` for none, or a matcher such as `expect.stringContaining('x')`. */
  headers?: Readonly<Record<string, ExpectedText>> | undefined
  /** Query parameters by name, as headers are. */
  query?: Readonly<Record<string, ExpectedText>> | undefined
  /**
   * What the body's JSON has at least: of an object the fields that are named, of a list every item. `undefined` is a field that is
   * absent. Integers of 64 bits are compared exactly; matchers such as `expect.any(String)` can stand anywhere. A body that is no
   * JSON is a text.
   */
  body?: unknown
  /** The key, as it was sent, without `@world`; or its fingerprint. */
  key?: string | undefined
  /** The id of the account that the key belongs to: `acct_pro`. The key may have expired, or not be permitted what it asks for. */
  account?: string | undefined
}

/** Selects violations. A violation must meet every field that is given. */
export interface ViolationQuery {
  operation?: OperationId | undefined
  /** Rules whose violations are left out. */
  ignore?: readonly ViolationRule[] | undefined
}

/**
 * The requests that a world received and its replies. Keys and other secrets are replaced by fingerprints. When the journal is
 * full, the oldest entries are dropped.
 */
export interface Journal {
  /** How many entries the journal holds. */
  readonly size: number
  /** How much memory the entries take, in bytes (an estimate). */
  readonly bytes: number
  /** How many entries were dropped to make room for newer ones. */
  readonly evicted: number
  /**
   * Returns the entries, oldest first.
   * @example
   * world.journal.calls({ operation: 'plants.create', status: 400 })
   * world.journal.calls({ method: 'POST', path: '/v1/apps/*', headers: { 'Idempotency-Key': true }, body: { name: 'Shop' } })
   * @throws EvictedError when no entry matches but a matching one was dropped, or too little of it was kept; RangeError or TypeError for an unknown
   * operation or field.
   */
  calls(query?: JournalQuery): JournalEntry[]
  /**
   * Returns the violations of all requests, oldest first, whatever the replies were.
   * @example expect(world.journal.violations({ ignore: ['missing-key'] })).toEqual([])
   * @throws EvictedError when no violation matches but a request was dropped that may have had one; RangeError or TypeError
   * for an unknown operation, rule or field.
   */
  violations(query?: ViolationQuery): RequestViolation[]
  /** Removes all entries. Ids go on counting. */
  clear(): void
  /**
   * Calls `listener` with every new entry, once its reply has left. An entry whose reply leaves late or piece by piece comes
   * twice, first with `pending`. The listener gets `undefined` when the journal ends. Returns a function that unsubscribes.
   */
  subscribe(listener: (entry: JournalEntry | undefined) => void): () => void
  /** As `calls`, with the entries as the journal keeps them. @throws EvictedError @internal */
  notes(query?: RecordQuery): JournalRecord[]
  /** Compares the entries with a query. @param matcher the matcher that a user called. @param most how many are told. @internal */
  compare(query: JournalQuery, matcher: string, most: number): EntryComparison
  /** @param id of an entry of which too little was kept. @throws EvictedError @internal */
  refuseToTell(id: number): never
  /** @throws RangeError for an account that neither the world nor an entry has. @internal */
  checkAccount(query: JournalQuery): void
  /** @throws EvictedError where dropped entries might have met a query that found nothing. @internal */
  assertKnown(query: RecordQuery): void
  /** An entry as the journal keeps it, by its id. @internal */
  note(id: number): JournalRecord | undefined
  /** The id of the newest entry, dropped or not; 0 before the first. @internal */
  readonly lastId: number
  /** As `subscribe`, with the entries as the journal keeps them. @internal */
  observe(observer: JournalObserver): () => void
}

/** The journal as users see it. */
export function toPublicJournal(journal: CoreJournal<OperationId>): Journal {
  return journal
}
