import { type CallerSource, keys, missingAccount, missingKey } from '../accounts/accounts.ts'
import { throwAtCallSite } from '../contract/options.ts'
import { recognizeAcrossBuilds } from '../contract/across-builds.ts'
import { monotonicNow } from '../time/clock.ts'
import { type JournalBudget, type JournalRecord, type RecordedExchange, toJournalRecord } from './journal-record.ts'
import { type JournalEntry, toEntry, toShownOutline, validateRecord } from './journal-entry.ts'
import {
  type Compared,
  compareEntries,
  createComparison,
  type EntryComparison,
  isMatching,
  toView,
} from './request-differences.ts'
import {
  checkJournalQuery,
  checkViolationQuery,
  type KnownOperations,
  requestParts,
  type RequestQuery,
} from './request-query.ts'
import { printFailure, reportRejection } from '../contract/errors.ts'
import type { Reply } from '../http/reply.ts'
import { withoutWorld } from '../secrets/secret-spans.ts'
import { type SecretFinder, toFingerprint } from '../secrets/secret-finder.ts'
import {
  assertValidator,
  type RequestValidator,
  type RequestViolation,
  type Violation,
  type ViolationRule,
} from './violation.ts'

interface CoreJournalQuery extends RequestQuery {
  operation?: string | undefined
  status?: number | undefined
  /** The most entries to return; the newest ones. */
  limit?: number | undefined
  /** `true`: only requests that break the contract. `false`: only requests that keep it. */
  violations?: boolean | undefined
}

/** The stored entries to find; all conditions must hold. @internal */
export interface RecordQuery extends CoreJournalQuery {
  readonly isStatus?: ((status: number) => boolean) | undefined
  /** Only entries older than this id. Dropped ones do not matter then: the caller continues from that entry. */
  readonly before?: number | undefined
  readonly accepts?: ((record: JournalRecord) => boolean) | undefined
}

type RequestTest = (record: JournalRecord) => Compared

interface CoreViolationQuery {
  operation?: string | undefined
  /** Rules to ignore. */
  ignore?: readonly ViolationRule[] | undefined
}

export interface JournalOptions extends KnownOperations {
  readonly entries: number
  readonly bytes: number
  /** The shared budget of all journals. @internal */
  readonly budget: JournalBudget
  /** Checks requests against the contract when their entries are read; `undefined` makes such reads fail. @internal */
  readonly validator: RequestValidator | undefined
  /** Subscribers to the entries of all worlds. @internal */
  readonly listeners: ReadonlySet<JournalRecordListener>
}

/** Thrown when no entry matches a query, but a dropped one may have: the journal cannot know. */
export class EvictedError extends Error {
  override name = 'EvictedError'
}

recognizeAcrossBuilds(EvictedError, 'EvictedError')

export interface JournalKeeper extends CallerSource {
  secretFinders(): SecretFinder[]
  journalCleared(): void
}

export class CoreJournal {
  readonly #limits: JournalOptions
  readonly #keeper: JournalKeeper
  /** Entries in order; those before `#first` are dropped. */
  #records: (JournalRecord | undefined)[] = []
  #first = 0
  #observers: Set<JournalObserver> | undefined
  /** Counts of dropped entries, by operation ('' for none) and status. */
  #gone: Map<string, Map<number, number>> | undefined
  #next = 1
  #bytes = 0
  #isEnded = false
  /** The violations of the last judged entry: several subscribers read the same entry in turn. */
  #judged: { readonly record: JournalRecord; readonly violations: readonly Violation[] } | undefined

  constructor(limits: JournalOptions, keeper: JournalKeeper) {
    const { entries, bytes } = limits
    if (!((Number.isInteger(entries) || entries === Infinity) && entries >= 1 && bytes >= 0))
      throw new RangeError(
        `Failed to create a journal of ${entries} entries and ${bytes} bytes: expected at least 1 entry and 0 bytes.`,
      )
    this.#limits = limits
    this.#keeper = keeper
  }

  get size(): number {
    return this.#records.length - this.#first
  }

  get bytes(): number {
    return this.#bytes
  }

  get evicted(): number {
    let sum = 0
    for (const statuses of this.#gone?.values() ?? []) for (const count of statuses.values()) sum += count
    return sum
  }

  calls(query: CoreJournalQuery = {}): JournalEntry[] {
    checkJournalQuery(query, this.#limits)
    this.checkCaller(query)
    return this.records(query).map(toEntry)
  }

  violations(query: CoreViolationQuery = {}): RequestViolation[] {
    checkViolationQuery(query, this.#limits)
    const { operation, ignore = [] } = query
    const found: RequestViolation[] = []
    for (const record of this.#find({ operation, violations: true })) {
      const { method, url, violations } = toShownOutline(record)
      for (const violation of violations)
        if (!ignore.includes(violation.rule))
          found.push({ ...violation, entry: record.id, operation: record.operation, method, url })
    }
    if (found.length === 0) this.#assertNoneGone('any request broke the contract', operation)
    return found
  }

  /** Returns the stored entries that match. @throws EvictedError @internal */
  records(query: RecordQuery = {}): JournalRecord[] {
    const test = toRequestTest(query)
    const found = this.#find(query, test && ((record) => isMatching(test(record))))
    if (found.length === 0) {
      this.assertNotEvicted(query)
      if (test && query.limit !== 0) this.#assertDecided(query, test)
    }
    return found
  }

  /**
   * Checks a query and compares all entries with it. @param matcher the matcher that the user called. @param max how many of the
   * first and of the nearest entries to return. @throws RangeError or TypeError for an unknown operation or filter.
   * @internal
   */
  compare(query: CoreJournalQuery, matcher: string, max: number): EntryComparison {
    checkJournalQuery(query, this.#limits, matcher)
    this.checkCaller(query, matcher)
    return compareEntries(this.#records.slice(this.#first) as JournalRecord[], query, max)
  }

  /**
   * Checks an account id and a key: a typo must not read as "it was never called". @throws RangeError for one that neither
   * the world nor an entry has. @internal
   */
  checkCaller({ account, key }: RequestQuery, call = 'journal.calls'): void {
    const missing = account === undefined ? undefined : missingAccount(this.#keeper, account)
    if (missing !== undefined && !this.#records.some((record) => record?.account === account))
      throw new RangeError(`Failed to call ${call}(): ${missing}`)
    if (key === undefined) return
    const bare = withoutWorld(key)
    const missingHere = missingKey(this.#keeper, bare)
    if (missingHere === undefined || this.#records.some((record) => record && toView(record).keys.includes(bare)))
      return
    const stored = this.#keeper.collection(keys).all()
    if (!stored.some(({ secret }) => toFingerprint(secret) === bare))
      throw new RangeError(`Failed to call ${call}(): ${missingHere}`)
  }

  /** Ensures that an empty result is certain. @throws EvictedError if a dropped entry may have matched. @internal */
  assertNotEvicted({ limit, before, operation, status, isStatus }: RecordQuery): void {
    if (limit === 0 || before !== undefined) return
    this.#assertNoneGone('this was ever called', operation, toStatusCheck(status, isStatus))
  }

  #assertDecided(query: RecordQuery, test: RequestTest): void {
    const [unclear] = this.#find({ ...query, limit: 1 }, (record) => test(record).isUndecided)
    if (unclear) this.throwEvicted(unclear.id)
  }

  /** @param id of an entry that may match, but is stored too incompletely to decide. @throws EvictedError @internal */
  throwEvicted(id: number): never {
    throw new EvictedError(
      `The journal can't tell whether this was ever called: the request ${id} was too large to be kept in full. Query fewer fields, such as only the operation.`,
    )
  }

  /** Returns an entry by its id. @internal */
  record(id: number): JournalRecord | undefined {
    const first = this.#records[this.#first]
    // Ids are consecutive, and the oldest entries are dropped first.
    return first && id >= first.id ? this.#records[this.#first + id - first.id] : undefined
  }

  /** The last id that was given to an entry; 0 before the first. @internal */
  get lastId(): number {
    return this.#next - 1
  }

  #find(
    { operation, status, limit = Infinity, violations, isStatus, before, accepts }: RecordQuery,
    isRequest?: (record: JournalRecord) => boolean,
  ): JournalRecord[] {
    if (violations !== undefined) assertValidator(this.#limits.validator)
    const isExpected = toStatusCheck(status, isStatus)
    const found: JournalRecord[] = []
    for (let index = this.#records.length - 1; index >= this.#first && found.length < limit; index--) {
      const record = this.#records[index]!
      if (operation !== undefined && record.operation !== operation) continue
      if (before !== undefined && record.id >= before) continue
      if (isExpected && !isExpected(record.reply.status)) continue
      if (accepts && !accepts(record)) continue
      if (isRequest && !isRequest(record)) continue
      if (violations !== undefined && this.validate(record).length > 0 !== violations) continue
      found.push(record)
    }
    return found.reverse()
  }

  #assertNoneGone(what: string, operation?: string, isExpected?: (status: number) => boolean): void {
    const isGone = Array.from(this.#gone ?? []).some(
      ([name, statuses]) =>
        (operation === undefined || name === operation) &&
        (isExpected === undefined || [...statuses.keys()].some(isExpected)),
    )
    if (!isGone) return
    const { entries, bytes, budget } = this.#limits
    throw new EvictedError(
      `The journal can't tell whether ${what}: matching entries were dropped to make room for newer ones. It holds the newest ${entries} entries or ${bytes} bytes, and all journals together hold ${budget.limit} bytes. Check sooner, clear the journal before the requests that you check, or raise its limits.`,
    )
  }

  clear(): void {
    this.#keeper.journalCleared()
    this.#release()
    this.#records = []
    this.#first = 0
    this.#bytes = 0
    this.#gone = undefined
    this.#judged = undefined
  }

  subscribe(listener: JournalListener): () => void {
    return this.observe((record) => listener(record && toEntry(record)))
  }

  /** Subscribes to stored entries. @internal */
  observe(observer: JournalObserver): () => void {
    const own: JournalObserver = (record) => observer(record)
    const observers = (this.#observers ??= new Set())
    observers.add(own)
    return () => void observers.delete(own)
  }

  /** Ends all subscriptions, and frees the entries' memory. @internal */
  end(): void {
    this.#release()
    this.#judged = undefined
    this.#isEnded = true
    for (const observer of this.#observers ?? []) notify(observer, undefined)
    this.#observers = undefined
  }

  /** Records an exchange and its reply, which is not sent yet. @param startedAt on the monotonic clock. @internal */
  write(exchange: RecordedExchange, reply: Reply, startedAt: number): JournalRecord {
    const { entries, bytes, budget } = this.#limits
    if (this.size >= entries) this.evict()
    const before = this.#records.at(-1)
    const max = Math.min(bytes, budget.limit)
    const record = toJournalRecord(this, this.#next++, exchange, reply, startedAt, max, before)
    this.#bytes += record.bytes
    while (this.#bytes > bytes && this.size > 0) this.evict()
    if (this.size === 0) this.#inherit(record)
    this.#records.push(record)
    if (!this.#isEnded) budget.add(record)
    if (exchange.delay > 0 || reply.wire !== undefined) this.#notify(record)
    return record
  }

  /** Completes an entry: its reply was sent, with `bytes` of its body or all of it. Only the first call counts. @internal */
  markSent(record: JournalRecord, bytes: number = record.length, aborted = false): void {
    if (record.leftAt > 0) return
    record.leftAt = monotonicNow()
    record.sent = bytes
    record.aborted = aborted
    this.#notify(record)
  }

  #notify(record: JournalRecord): void {
    for (const listener of this.#limits.listeners) notify(listener, record)
    if (this.#observers) for (const observer of this.#observers) notify(observer, record)
  }

  /** Drops the oldest entry. @internal */
  evict(): void {
    const record = this.#records[this.#first]!
    this.#records[this.#first++] = undefined
    // Compacts the array once half of it is dropped entries, so each entry moves once on average.
    if (this.#first > 32 && this.#first * 2 > this.#records.length) {
      this.#records = this.#records.slice(this.#first)
      this.#first = 0
    }
    if (this.#judged?.record === record) this.#judged = undefined
    this.#bytes -= record.bytes
    this.#limits.budget.remove(record)
    const next = this.#records[this.#first]
    if (next) this.#inherit(next)
    const { operation = '' } = record
    const { status } = record.reply
    // Nested maps avoid a combined key: this runs for every request once the journal is full.
    const gone = (this.#gone ??= new Map())
    let statuses = gone.get(operation)
    if (!statuses) gone.set(operation, (statuses = new Map()))
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }

  #inherit(next: JournalRecord): void {
    const bytes = next.sharedBytes
    if (bytes === 0) return
    next.sharedBytes = 0
    this.#bytes += bytes
    this.#limits.budget.grow(next, bytes)
  }

  /** Returns the violations of a request; none without a validator. @internal */
  validate(record: JournalRecord, finders?: readonly SecretFinder[]): readonly Violation[] {
    const { validator } = this.#limits
    if (!validator) return unjudged
    if (this.#judged?.record !== record)
      this.#judged = { record, violations: validateRecord(record, validator, finders) }
    return this.#judged.violations
  }

  /** Returns the finders of its world's secrets. @internal */
  secretFinders(): SecretFinder[] {
    return this.#keeper.secretFinders()
  }

  #release(): void {
    for (let index = this.#first; index < this.#records.length; index++)
      this.#limits.budget.remove(this.#records[index]!)
  }
}

const unjudged: readonly Violation[] = []

function toRequestTest(query: RecordQuery): RequestTest | undefined {
  if (requestParts.every((part) => query[part] === undefined)) return undefined
  const { method, path, headers, query: parameters, body, key, account } = query
  const compare = createComparison({ method, path, headers, query: parameters, body, key, account }, 1)
  return (record) => compare(toView(record))
}

function toStatusCheck(
  status: number | undefined,
  isStatus: ((status: number) => boolean) | undefined,
): ((status: number) => boolean) | undefined {
  return status === undefined ? isStatus : (given) => given === status && (isStatus?.(given) ?? true)
}

throwAtCallSite(CoreJournal.prototype, ['calls', 'violations'])

type JournalListener = (entry: JournalEntry | undefined) => void

/** Called with each stored entry. @internal */
export type JournalRecordListener = (record: JournalRecord) => void

/** Called with each stored entry, and with `undefined` when the journal ends. @internal */
export type JournalObserver = (record: JournalRecord | undefined) => void

const listenerFailed = 'A listener of the journal failed:'

/** Calls a listener. An error or a later rejection is printed, so that it ends neither the reply nor the process. */
function notify<T>(listener: (value: T) => unknown, entry: T): void {
  try {
    const result = listener(entry)
    if (result !== undefined) reportRejection(listenerFailed, result)
  } catch (error) {
    printFailure(listenerFailed, error)
  }
}
