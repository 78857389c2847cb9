import { methodsAtCaller } from '../definitions/at-caller.ts'
import { recognizeAcrossBuilds } from '../definitions/across-builds.ts'
import { monotonicNow } from '../time/clock.ts'
import type { RecordedExchange } from './recorded-exchange.ts'
import type { JournalBudget } from './journal-budget.ts'
import { toEntry, toShownOutline, type JournalEntry } from './journal-entry.ts'
import { toJournalRecord, type JournalRecord } from './journal-record.ts'
import { assertJudged } from './assert-judged.ts'
import { compareEntries, type EntryComparison } from './entry-comparison.ts'
import { checkQuery, checkViolationQuery, type KnownOperations } from './journal-query.ts'
import { judgeRecord } from './judged-record.ts'
import { quote } from '../definitions/quote.ts'
import { report, reportRejection } from '../definitions/reason.ts'
import { suggest } from '../definitions/suggest.ts'
import type { Reply } from '../http/reply.ts'
import { createComparison, isMet, type Compared } from './request-differences.ts'
import { requestParts, type RequestQuery } from './request-query.ts'
import { toView } from './request-view.ts'
import type { SecretFinder } from '../store/secret-finder.ts'
import type { Judge, RequestViolation, Violation, ViolationRule } from './violation.ts'

export type { JournalEntry } from './journal-entry.ts'

/** Which entries to look for; all that is named must hold. */
export interface JournalQuery<OperationId extends string = string> extends RequestQuery {
  operation?: OperationId | undefined
  status?: number | undefined
  /** How many at most, the newest. */
  limit?: number | undefined
  /** `true`: only requests that break the contract. `false`: only requests that keep it. */
  violations?: boolean | undefined
}

/** Which entries to look for as they are kept; all that is named must hold. @internal */
export interface RecordQuery extends JournalQuery {
  /** Whether a status is meant. */
  readonly isStatus?: ((status: number) => boolean) | undefined
  /** Only entries that are older than the one of this id. What is gone is no matter then: whoever names an entry reads on from it. */
  readonly before?: number | undefined
  /** Whether an entry that meets the rest is meant. */
  readonly isMeant?: ((note: JournalRecord) => boolean) | undefined
}

/** What tells whether the request of an entry is asked for. */
type RequestTest = (note: JournalRecord) => Compared

/** Which violations to look for; all that is named must hold. */
export interface ViolationQuery<OperationId extends string = string> {
  operation?: OperationId | undefined
  /** Rules to ignore. */
  ignore?: readonly ViolationRule[] | undefined
}

/** How much a journal holds: the oldest entries make room. */
export interface JournalLimits {
  readonly entries: number
  readonly bytes: number
}

/** What a journal is made with. */
export interface JournalOptions extends JournalLimits, KnownOperations {
  /** What all journals may hold together. @internal */
  readonly budget: JournalBudget
  /** Holds requests against the contract, when somebody reads their entries; where there is none, nobody may ask. @internal */
  readonly judge: Judge | undefined
  /** The subscribers to the entries of all worlds. @internal */
  readonly listeners?: ReadonlySet<JournalRecordListener>
}

/** No entry matches the query, but dropped entries might have matched: the journal can't tell whether it ever happened. */
export class EvictedError extends Error {
  override name = 'EvictedError'
}

recognizeAcrossBuilds(EvictedError, 'EvictedError')

/** Whose journal it is. */
export interface JournalKeeper {
  /** What finds the secrets that entries may hold. */
  secretFinders(): SecretFinder[]
  hasAccount(id: string): boolean
  /** The ids of its accounts, for a suggestion. */
  accountIds(): readonly string[]
  /** The journal forgets all entries. */
  journalCleared(): void
}

/** What a world was asked and what it answered, bounded in entries and bytes. It is kept as it came, and shown without secrets. */
export class Journal<OperationId extends string = string> {
  readonly #limits: JournalOptions
  readonly #keeper: JournalKeeper
  /** In the order of their writing; what stands before `#first` is gone. */
  #notes: (JournalRecord | undefined)[] = []
  #first = 0
  #observers: Set<JournalObserver> | undefined
  /** How many entries were dropped, by operation ('' for none) and status. */
  #gone: Map<string, Map<number, number>> | undefined
  #next = 1
  #bytes = 0
  #isEnded = false
  /** The violations of the entry that was judged last, since several subscribers read the same entry one after another. */
  #judged: { readonly note: JournalRecord; readonly violations: readonly Violation[] } | undefined

  constructor(limits: JournalOptions, keeper: JournalKeeper) {
    const { entries, bytes } = limits
    if (!((Number.isInteger(entries) || entries === Infinity) && entries >= 1 && bytes >= 0))
      throw new RangeError(
        `Failed to make a journal of ${entries} entries and ${bytes} bytes: expected at least 1 entry and 0 bytes.`,
      )
    this.#limits = limits
    this.#keeper = keeper
  }

  /** How many entries are there. */
  get size(): number {
    return this.#notes.length - this.#first
  }

  /** How much memory the entries take, in bytes, as far as it can be told. */
  get bytes(): number {
    return this.#bytes
  }

  /** How many entries were dropped to make room for newer ones. */
  get evicted(): number {
    let sum = 0
    for (const statuses of this.#gone?.values() ?? []) for (const count of statuses.values()) sum += count
    return sum
  }

  /**
   * The entries that are there, oldest first. Keys and other secrets in them are fingerprints.
   * @throws EvictedError when no entry matches but a dropped one might have; RangeError or TypeError for an unknown operation
   * or filter.
   */
  calls(query: JournalQuery<OperationId> = {}): JournalEntry[] {
    checkQuery(query, this.#limits)
    this.checkAccount(query)
    return this.notes(query).map(toEntry)
  }

  /**
   * What of the requests that are there the contract does not have, oldest first, whatever was answered. Keys and other secrets
   * are fingerprints. @throws EvictedError when nothing is found but entries made room; RangeError or TypeError for an unknown
   * operation, rule or filter.
   */
  violations(query: ViolationQuery<OperationId> = {}): RequestViolation[] {
    checkViolationQuery(query, this.#limits)
    const { operation, ignore = [] } = query
    const found: RequestViolation[] = []
    for (const note of this.#find({ operation, violations: true })) {
      const { url, violations } = toShownOutline(note)
      for (const violation of violations)
        if (!ignore.includes(violation.rule))
          found.push({ ...violation, entry: note.id, operation: note.operation, method: note.method, url })
    }
    if (found.length === 0) this.#assertNoneGone('any request broke the contract', operation)
    return found
  }

  /** The same as the journal keeps them. @throws EvictedError @internal */
  notes(query: RecordQuery = {}): JournalRecord[] {
    const test = toRequestTest(query)
    const found = this.#find(query, test && ((note) => isMet(test(note))))
    if (found.length === 0) {
      this.assertKnown(query)
      if (test && query.limit !== 0) this.#assertDecided(query, test)
    }
    return found
  }

  /**
   * Checks a query and compares the entries that are there with it.
   * @param matcher the matcher that a user called.
   * @param most how many of the first and of the nearest are told.
   * @throws RangeError or TypeError for an unknown operation or filter. @internal
   */
  compare(query: JournalQuery<OperationId>, matcher: string, most: number): EntryComparison {
    checkQuery(query, this.#limits, matcher)
    this.checkAccount(query, matcher)
    return compareEntries(this.#notes.slice(this.#first) as JournalRecord[], query, most)
  }

  /** A wrong account id must not look like "it was never called". @throws RangeError for one that neither the world nor an entry has. @internal */
  checkAccount({ account }: RequestQuery, call = 'journal.calls'): void {
    if (account === undefined || this.#keeper.hasAccount(account)) return
    if (this.#notes.some((note) => note?.account === account)) return
    throw new RangeError(
      `Failed to call ${call}(): there is no account ${quote(account)}.${suggest(account, this.#keeper.accountIds())}`,
    )
  }

  /** Makes sure that a query without results would never have had one. @throws EvictedError when a dropped entry might have matched. @internal */
  assertKnown({ limit, before, operation, status, isStatus }: RecordQuery): void {
    if (limit === 0 || before !== undefined) return
    this.#assertNoneGone('this was ever called', operation, toStatusCheck(status, isStatus))
  }

  /** @throws EvictedError where an entry may be meant of which too little was kept to tell. */
  #assertDecided(query: RecordQuery, test: RequestTest): void {
    const [unclear] = this.#find({ ...query, limit: 1 }, (note) => test(note).isUndecided)
    if (unclear) this.refuseToTell(unclear.id)
  }

  /** @param id of an entry that may be meant, of which too little was kept to tell. @throws EvictedError @internal */
  refuseToTell(id: number): never {
    throw new EvictedError(
      `The journal can't tell whether this was ever called: the request ${id} was too large to keep all of it. Query fewer fields, such as only its operation.`,
    )
  }

  /** An entry that is there, by its id. @internal */
  note(id: number): JournalRecord | undefined {
    const first = this.#notes[this.#first]
    // They are written one after the other, and go in the same order.
    return first && id >= first.id ? this.#notes[this.#first + id - first.id] : undefined
  }

  /** The id of the entry that was written last, 0 before the first. @internal */
  get lastId(): number {
    return this.#next - 1
  }

  #find(
    { operation, status, limit = Infinity, violations, isStatus, before, isMeant }: RecordQuery,
    isRequest?: (note: JournalRecord) => boolean,
  ): JournalRecord[] {
    if (violations !== undefined) assertJudged(this.#limits.judge)
    const isRight = toStatusCheck(status, isStatus)
    const found: JournalRecord[] = []
    for (let place = this.#notes.length - 1; place >= this.#first && found.length < limit; place--) {
      const note = this.#notes[place]!
      if (operation !== undefined && note.operation !== operation) continue
      if (before !== undefined && note.id >= before) continue
      if (isRight && !isRight(note.reply.status)) continue
      if (isMeant && !isMeant(note)) continue
      if (isRequest && !isRequest(note)) continue
      if (violations !== undefined && this.judge(note).length > 0 !== violations) continue
      found.push(note)
    }
    return found.reverse()
  }

  /** @param what the question that dropped entries might have answered. @throws EvictedError */
  #assertNoneGone(what: string, operation?: string, isRight?: (status: number) => boolean): void {
    if (!this.#hasEvicted(operation, isRight)) return
    const { entries, bytes, budget } = this.#limits
    throw new EvictedError(
      `The journal can't tell whether ${what}: matching entries were dropped to make room for newer ones. It holds the newest ${entries} entries or ${bytes} bytes, and all journals together hold ${budget.limit} bytes. Look earlier, clear the journal before the requests that you look for, or raise its limits.`,
    )
  }

  /** Removes all entries, and the counts of dropped ones. Ids continue from the last one. */
  clear(): void {
    this.#keeper.journalCleared()
    this.#release()
    this.#notes = []
    this.#first = 0
    this.#bytes = 0
    this.#gone = undefined
    this.#judged = undefined
  }

  /**
   * Calls back with every entry from now on, as its reply has left, until what it returns is called. The entry of a reply that
   * is held back, or leaves bit by bit, comes twice, first with `pending`. The journal's end comes as `undefined`.
   */
  subscribe(listener: JournalListener): () => void {
    return this.observe((note) => listener(note && toEntry(note)))
  }

  /** The same with the entry as the journal keeps it. @internal */
  observe(observer: JournalObserver): () => void {
    const own: JournalObserver = (note) => observer(note)
    const observers = (this.#observers ??= new Set())
    observers.add(own)
    return () => void observers.delete(own)
  }

  /** Tells the listeners that nothing more comes, and gives back the room that the entries take. @internal */
  end(): void {
    this.#keeper.journalCleared()
    this.#release()
    this.#judged = undefined
    this.#isEnded = true
    for (const observer of this.#observers ?? []) tell(observer, undefined)
    this.#observers = undefined
  }

  /** Writes down an exchange and its reply, which has yet to leave. @param startedAt on the steady clock. @internal */
  write(exchange: RecordedExchange, reply: Reply, startedAt: number): JournalRecord {
    const { entries, bytes, budget } = this.#limits
    const note = toJournalRecord(this, this.#next++, exchange, reply, startedAt, Math.min(bytes, budget.limit))
    if (this.size >= entries) this.evict()
    this.#bytes += note.bytes
    while (this.#bytes > bytes && this.size > 0) this.evict()
    this.#notes.push(note)
    if (!this.#isEnded) budget.add(note)
    if (exchange.delay > 0 || reply.wire !== undefined) this.#tell(note)
    return note
  }

  /** Completes an entry: its reply has left, with `bytes` of its body, or all of it. Only the first time counts. @internal */
  left(note: JournalRecord, bytes: number = note.length, aborted = false): void {
    if (note.leftAt > 0) return
    note.leftAt = monotonicNow()
    note.sent = bytes
    note.aborted = aborted
    this.#tell(note)
  }

  #tell(note: JournalRecord): void {
    const { listeners } = this.#limits
    if (listeners) for (const listener of listeners) tell(listener, note)
    if (this.#observers) for (const observer of this.#observers) tell(observer, note)
  }

  /** Lets the oldest entry make room. @internal */
  evict(): void {
    const note = this.#notes[this.#first]!
    this.#notes[this.#first++] = undefined
    // What is gone is cut off once it is half of all: each entry is moved once on average.
    if (this.#first > 32 && this.#first * 2 > this.#notes.length) {
      this.#notes = this.#notes.slice(this.#first)
      this.#first = 0
    }
    if (this.#judged?.note === note) this.#judged = undefined
    this.#bytes -= note.bytes
    this.#limits.budget.remove(note)
    const { operation = '' } = note
    const { status } = note.reply
    // No text is made of the two: it is done for every request once the journal is full.
    const gone = (this.#gone ??= new Map())
    let statuses = gone.get(operation)
    if (!statuses) gone.set(operation, (statuses = new Map()))
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }

  /** What of a request the contract does not have. @internal */
  judge(note: JournalRecord, finders?: readonly SecretFinder[]): readonly Violation[] {
    const { judge } = this.#limits
    if (!judge) return unjudged
    if (this.#judged?.note !== note) this.#judged = { note, violations: judgeRecord(note, judge, finders) }
    return this.#judged.violations
  }

  /** What finds the secrets that its world knows. @internal */
  secretFinders(): SecretFinder[] {
    return this.#keeper.secretFinders()
  }

  #release(): void {
    for (let place = this.#first; place < this.#notes.length; place++) this.#limits.budget.remove(this.#notes[place]!)
  }

  #hasEvicted(operation: string | undefined, isRight: ((status: number) => boolean) | undefined): boolean {
    for (const [goneOperation, statuses] of this.#gone ?? [])
      if (
        (operation === undefined || goneOperation === operation) &&
        (isRight === undefined || [...statuses.keys()].some(isRight))
      )
        return true
    return false
  }
}

const unjudged: readonly Violation[] = []

/** Makes a function that compares requests with a query; `undefined` when the query has no conditions on requests. */
function toRequestTest(query: RecordQuery): RequestTest | undefined {
  if (requestParts.every((part) => query[part] === undefined)) return undefined
  const { method, path, headers, query: parameters, body, key, account } = query
  const compare = createComparison({ method, path, headers, query: parameters, body, key, account }, 1)
  return (note) => compare(toView(note))
}

function toStatusCheck(
  status: number | undefined,
  isStatus: ((status: number) => boolean) | undefined,
): ((status: number) => boolean) | undefined {
  return status === undefined ? isStatus : (given) => given === status && (isStatus?.(given) ?? true)
}

methodsAtCaller(Journal.prototype, ['calls', 'violations'])

/** Is called with an entry, or with `undefined` when the journal ends. */
export type JournalListener = (entry: JournalEntry | undefined) => void

/** Is called with what the journal keeps of an entry. @internal */
export type JournalRecordListener = (note: JournalRecord) => void

/** Is called with what a journal keeps of an entry, or with `undefined` when the journal ends. @internal */
export type JournalObserver = (note: JournalRecord | undefined) => void

const listenerFailed = 'A listener of the journal failed:'

/** A listener that throws, or rejects later, must not take the reply or the process with it. */
function tell<T>(listener: (value: T) => unknown, entry: T): void {
  try {
    const result = listener(entry)
    if (result !== undefined) reportRejection(listenerFailed, result)
  } catch (error) {
    report(listenerFailed, error)
  }
}
