import type { GreenhouseErrorCode } from '../text/error-codes.ts'
import {
  type CallerSource,
  keys,
  describeMissingAccount,
  describeMissingKey,
} from '../accounts/accounts.ts'
import { throwAtCallSite } from '../contract/options.ts'
import { recognizeAcrossBuilds } from '../contract/builds.ts'
import { addListener } from '../text/values.ts'
import { withoutWorld } from '../text/world-key.ts'
import { monotonicNow } from '../time/clock.ts'
import {
  estimateSize,
  type JournalRecord,
  type LateParts,
  type RecordedExchange,
  namesOfActingScenarios,
  toJournalRecord,
  toKeptBytes,
} from './journal-record.ts'
import { type JournalEntry, toEntry, toOutline } from './journal-entry.ts'
import { compareEntries, type EntryComparison, toComparable } from './comparison.ts'
import { KeptEntries, type RecordQuery } from './kept-entries.ts'
import { StoredView } from './stored-view.ts'
import {
  type LimitedQuery,
  type ViolationFilter,
  describeCutEntry,
  type EntryFilter,
  type RequestQuery,
} from './matching.ts'
import {
  assertNamed,
  checkJournalQuery,
  checkViolationQuery,
  type KnownOperations,
  missingOperation,
} from './request-query.ts'
import { callSafely } from '../contract/errors.ts'
import type { Reply } from '../http/reply.ts'
import type { WorldMemory } from '../store/memory.ts'
import { type SecretFinder, toFingerprint } from '../secrets/known-secrets.ts'
import { type RequestValidator, type RequestViolation, violationsIn } from './violation.ts'

export interface JournalOptions extends KnownOperations {
  /** The most entries of one journal. */
  readonly entries: number
  /** Checks requests against the contract when their entries are read. */
  readonly validator: RequestValidator
  readonly listeners: ReadonlySet<JournalRecordListener>
}

/** Thrown when no entry matches a query, but a dropped one may have: the journal cannot know. */
export class EvictedError extends Error {
  override name = 'EvictedError'
  readonly code: GreenhouseErrorCode = 'GREENHOUSE_EVICTED'
}

recognizeAcrossBuilds(EvictedError, 'EvictedError')

/** The names of scenarios that a query may have. */
interface KnownScenarios {
  /** @param others names that are known here, too. @throws UnknownScenarioError */
  assertKnown(name: string, purpose: string, others: readonly string[]): void
}

export interface JournalKeeper extends CallerSource {
  readonly memory: WorldMemory
  secretFinders(): SecretFinder[]
  journalCleared(): void
  readonly scenarios: KnownScenarios
}

export class LiveJournal {
  readonly #options: JournalOptions
  readonly #keeper: JournalKeeper
  /** The memory of its world, until the journal ends. */
  #memory: WorldMemory | undefined
  #kept = new KeptEntries()
  #observers: Set<JournalObserver> | undefined
  #lastId = 0
  #bytes = 0

  constructor(options: JournalOptions, keeper: JournalKeeper) {
    this.#options = options
    this.#keeper = keeper
    this.#memory = keeper.memory
  }

  // An entry is written when its reply is decided, and completed when it was sent.

  write(exchange: RecordedExchange, reply: Reply, startedAt: number): JournalRecord {
    // The oldest entry makes room for this one.
    if (this.size >= this.#options.entries) this.evict()
    const before = this.#kept.newest
    const place = {
      journal: this,
      id: ++this.#lastId,
    }
    const record = toJournalRecord(place, exchange, reply, startedAt)
    // Keeps only one of two equal strings alive.
    if (before && before.replyBody === record.replyBody) record.replyBody = before.replyBody
    record.bytes = estimateSize(record, before)
    this.#kept.add(record)
    this.#addBytes(record.bytes)
    // A follower of the journal sees a reply that takes its time before it was sent, too.
    if (exchange.delay > 0 || reply.wire !== undefined) this.#notify(record)
    return record
  }

  /** Adds the end of a reply in pieces. Returns whether the journal keeps the body. */
  complete(record: JournalRecord, body: Uint8Array, late: LateParts): boolean {
    Object.assign(record, late)
    const { bytes } = record
    if (this.get(record.id) !== record || record.replyBody === null) return false
    record.replyBody = toKeptBytes(body)
    record.bytes = estimateSize(record)
    this.#addBytes(record.bytes - bytes)
    return true
  }

  /**
   * Completes an entry: its reply was sent, with `bytes` of its body or all of it. Only the first
   * call counts.
   */
  markSent(record: JournalRecord, bytes: number | undefined, aborted: boolean): void {
    if (record.leftAt > 0) return
    record.leftAt = monotonicNow()
    record.sent = bytes ?? record.length
    record.aborted = aborted
    this.#notify(record)
  }

  /** Drops the oldest entry, to make room. */
  evict(): void {
    this.#addBytes(-(this.#kept.dropOldest()?.bytes ?? 0))
  }

  clear(): void {
    this.#keeper.journalCleared()
    this.#addBytes(-this.#bytes)
    this.#kept = new KeptEntries()
  }

  /** Ends its readers, and gives its memory back. What is written later takes none. */
  end(): void {
    this.#memory?.change(-this.#bytes)
    this.#memory = undefined
    for (const observer of this.#observers ?? []) notify(observer, undefined)
    this.#observers = undefined
  }

  #addBytes(bytes: number): void {
    this.#bytes += bytes
    this.#memory?.add(bytes)
  }

  // An observer hears of an entry when it was sent, and before, if that takes its time.

  subscribe(listener: JournalListener): () => void {
    return this.observe((record) => listener(record && toEntry(record)))
  }

  observe(observer: JournalObserver): () => void {
    return addListener((this.#observers ??= new Set()), observer)
  }

  /** True if somebody waits for its next entry. */
  get isObserved(): boolean {
    return this.#observers !== undefined && this.#observers.size > 0
  }

  #notify(record: JournalRecord): void {
    for (const listener of this.#options.listeners) notify(listener, record)
    if (this.#observers) for (const observer of this.#observers) notify(observer, record)
  }

  // A reader gets what was found, or an error if nothing was and the journal cannot know.

  get size(): number {
    return this.#kept.size
  }

  get bytes(): number {
    return this.#bytes
  }

  get evicted(): number {
    return this.#kept.dropped
  }

  /** The id of the newest entry, also of one that was cleared; 0 before the first. */
  get lastId(): number {
    return this.#lastId
  }

  get(id: number): JournalRecord | undefined {
    return this.#kept.get(id)
  }

  calls(query: LimitedQuery = {}): JournalEntry[] {
    this.#check(query)
    return this.records(query).map(toEntry)
  }

  violations(query: ViolationFilter = {}): RequestViolation[] {
    checkViolationQuery(query, this.#options)
    const { operation, ignore } = query
    const { records } = this.#kept.find({
      operation,
      violations: true,
    })
    const found = records.flatMap((record) => violationsIn(toOutline(record), ignore))
    if (found.length === 0) this.#assertNoneDropped('any request broke the contract', { operation })
    return found
  }

  /** @throws EvictedError if none matches, but a dropped or cut one may have. */
  records(query: RecordQuery = {}): JournalRecord[] {
    const { records, undecided } = this.#kept.find(query)
    if (records.length === 0) this.assertNoneMissed(query, undecided?.id)
    return records
  }

  compare(query: LimitedQuery, matcher: string, max: number): EntryComparison {
    this.#check(query, matcher)
    return compareEntries(this.#kept.all().map(toComparable), query, max, this.secretFinders())
  }

  /**
   * Asserts that a query which found nothing missed nothing. Two things may hide a match: an entry
   * was dropped, or one is kept without the part that decides. A page of older entries may end where
   * entries were dropped. @param undecided the id of an entry without that part. @throws EvictedError
   */
  assertNoneMissed(query: RecordQuery, undecided: number | undefined): void {
    if (query.limit === 0) return
    if (query.before === undefined) this.#assertNoneDropped('this was ever called', query)
    if (undecided !== undefined) throw new EvictedError(describeCutEntry(undecided))
  }

  #assertNoneDropped(what: string, query: EntryFilter): void {
    if (!this.#kept.mayHaveDropped(query)) return
    throw new EvictedError(
      `The journal can't tell whether ${what}: it dropped matching entries to make room. It keeps the newest ${this.#options.entries} (the option journal.entries), and fewer, or none in a world that was not used for long, where memory is short (the option memory). Check sooner, clear the journal before the requests that you check, or raise these limits.`,
    )
  }

  #check(query: LimitedQuery, matcher?: string): void {
    checkJournalQuery(query, this.#options, matcher)
    this.assertScenario(query)
    assertNamed(matcher ?? 'journal.calls', this.findMissing(query))
  }

  /** @throws UnknownScenarioError for a scenario that nothing has, and nothing had */
  assertScenario({ scenario }: RequestQuery): void {
    if (typeof scenario !== 'string') return
    const fired = this.#kept.all().flatMap(namesOfActingScenarios)
    this.#keeper.scenarios.assertKnown(scenario, 'find requests of', fired)
  }

  /** Says which other name of a query nothing has, and nothing had. */
  findMissing({ operation, account, key }: RequestQuery): string | undefined {
    return (
      missingOperation(operation, this.#options) ??
      this.#findMissingAccount(account) ??
      this.#findMissingKey(key)
    )
  }

  #findMissingAccount(account: RequestQuery['account']): string | undefined {
    if (typeof account !== 'string') return undefined
    if (this.#kept.all().some((record) => record.account === account)) return undefined
    return describeMissingAccount(this.#keeper, account)
  }

  #findMissingKey(key: RequestQuery['key']): string | undefined {
    if (typeof key !== 'string') return undefined
    if (this.#kept.all().some((record) => new StoredView(record).hasKey(key))) return undefined
    const bare = withoutWorld(key)
    const stored = this.#keeper.collection(keys).all()
    if (stored.some(({ secret }) => toFingerprint(secret) === bare)) return undefined
    return describeMissingKey(this.#keeper, bare)
  }

  // Entries ask the journal these, when they are read.

  get validator(): RequestValidator {
    return this.#options.validator
  }

  secretFinders(): SecretFinder[] {
    return this.#keeper.secretFinders()
  }
}

throwAtCallSite(LiveJournal.prototype, ['calls', 'violations'])

type JournalListener = (entry: JournalEntry | undefined) => void

export type JournalRecordListener = (record: JournalRecord) => void

/** Called with each stored entry, and with `undefined` when the journal ends. */
type JournalObserver = (record: JournalRecord | undefined) => void

/**
 * Calls a listener. An error or a later rejection is printed, so that it ends neither the reply nor
 * the process.
 */
function notify<T>(listener: (value: T) => unknown, entry: T): void {
  callSafely('A listener of the journal failed:', () => listener(entry))
}
