import {
  bodyCap,
  headersSizeOf,
  type JournalRecord,
  type NearMiss,
  type RecordHead,
  toDurations,
  namesOfActingScenarios,
  type Verdict,
} from './journal-record.ts'
import { joinTarget, headerText } from '../http/request.ts'
import { toSentKey } from './sent-key.ts'
import { showExplanation } from '../contract/errors.ts'
import { monotonicNow } from '../time/clock.ts'
import { toIso } from '../time/time-text.ts'
import { longestReason } from '../text/messages.ts'
import type { LoggedRequest } from './log-events.ts'
import { withoutWorld } from '../text/world-key.ts'
import { hideBody, hideHeader, hideParameters, redact } from '../secrets/secrets.ts'
import { isKnown, SecretFinder } from '../secrets/known-secrets.ts'
import { replyHeader, toBytes, toText } from '../http/reply.ts'
import type { Violation } from './violation.ts'

interface RequestLine {
  method: string
  url: string
}

/** A request, and the reason of its reply. */
export interface EntrySummary {
  request: RequestLine
  /** One sentence that explains an error, or how a scenario changed the reply. */
  reason?: string | undefined
}

/** An entry without headers and bodies: what a list or a line of a log shows. */
export interface EntryOutline extends EntrySummary {
  id: number
  /** ISO 8601, on the world's clock. */
  at: string
  /** `undefined` when no operation has the method and path. */
  operation: string | undefined
  world: string
  /** The id of the account that the key belongs to; absent without a known key. */
  account?: string
  /** `status` is 0 when the connection ended without a reply. */
  response: { status: number }
  /** How many bytes of the reply's body were sent; absent until the reply was sent. */
  bytes?: number
  /** True if the reply ended early: the client disconnected, or the connection was cut. */
  aborted?: true
  /** True if the reply is still being sent, or delayed by a scenario. */
  pending?: true
  /**
   * The origin of the real service that answered, behind a proxy. Absent when the mock or a
   * scenario answered.
   */
  answered_by?: string
  /** The scenarios that changed the reply. */
  scenarios: string[]
  /**
   * What each effect of the active scenarios did with this request, and why. Absent when no
   * scenario was active.
   */
  verdicts?: Verdict[]
  /** The ids of the assumptions that the reply depends on. */
  assumptions: string[]
  /** How the request breaks the contract, whatever the reply was. Absent when it does not. */
  violations?: Violation[]
  /**
   * How the reply of a real service breaks the contract. Absent when it does not, and when the mock
   * answered.
   */
  reply_violations?: string[]
  /** The operations closest to the request, when no operation matched. */
  near_misses?: NearMiss[]
  /**
   * Milliseconds until the reply was sent, delays included. For a pending entry, milliseconds until
   * now.
   */
  ms: number
}

/**
 * One request and its reply. Fingerprints stand in for keys and other secrets. Bodies are cut after
 * 64 KiB.
 */
export interface JournalEntry extends EntryOutline {
  request: RequestLine & {
    headers: Record<string, string>
    body: string | undefined
  }
  /**
   * `status` is 0 when the connection ended without a reply. When a reply ended early, `body` is
   * the part that was sent.
   */
  response: {
    status: number
    /** The values of a header that was sent more than once are joined with commas. */
    headers: Record<string, string>
    /**
     * Headers that were sent more than once, such as `Set-Cookie`: each value, in order. Absent
     * without any.
     */
    repeated?: Record<string, string[]>
    body: string | undefined
  }
  /**
   * Bodies that are incomplete: `request.body`, `response.body`. Only their beginning is here, or
   * nothing of a request that was too large.
   */
  cut?: string[]
}

/** Converts a stored entry to its public form: secrets become fingerprints. */
export function toEntry(record: JournalRecord): JournalEntry {
  const { body, replyHeaders, several, replyBody } = record
  const head = readHead(record)
  const { finders, headers } = head.shown
  const show = (text: string) => redact(text, finders)
  // Fields are added, because copying an object of so many fields takes as long as making it.
  const entry = toOutline(record, head) as JournalEntry
  entry.request.headers = Object.fromEntries(headers)
  entry.request.body =
    body &&
    hideBody(
      toText(body),
      headerText(record.headers, 'content-type'),
      finders,
      publicLengthOf(body, Infinity),
    )
  const showHeader = (name: string, value: string) => hideHeader(name, value, finders)
  entry.response.headers = Object.fromEntries(
    Object.entries(replyHeaders).map(([name, value]) => [show(name), showHeader(name, value)]),
  )
  if (several)
    entry.response.repeated = Object.fromEntries(
      Object.entries(several).map(([name, values]) => [
        show(name),
        values.map((value) => showHeader(name, value)),
      ]),
    )
  entry.response.body = undefined
  if (replyBody !== null) {
    const text = typeof replyBody === 'string' ? replyBody : toText(replyBody)
    entry.response.body = hideBody(
      text,
      replyHeader(replyHeaders, 'Content-Type'),
      finders,
      publicLengthOf(replyBody, maxSentBytes(record)),
    )
  }
  const cut = cutParts(record)
  if (cut.length > 0) entry.cut = cut
  return entry
}

/** Converts a stored entry to what lists show of it. */
export function toOutline(record: JournalRecord, head: ReadHead = readHead(record)): EntryOutline {
  const { id, operation, account, world, verdicts, nearMisses, answeredBy, sent, aborted, leftAt } =
    record
  const { finders } = head.shown
  const { request, reason } = toSummary(record, head)
  const violations = findViolations(record, head)
  const replyViolations = (record.replyViolations?.(record) ?? []).map((message) =>
    redact(message, finders, longestReason),
  )
  const toShownViolation = ({ rule, message }: Violation) => ({
    rule,
    message: redact(message, finders, longestReason),
  })
  const outline = {
    id,
    at: toIso(record.at),
    operation,
    world: world === 'default' ? world : redact(world, finders),
  } as EntryOutline
  if (account !== undefined) outline.account = account
  outline.request = request
  outline.response = { status: record.status }
  if (leftAt > 0) outline.bytes = sent
  else outline.pending = true
  if (aborted) outline.aborted = aborted
  if (answeredBy !== undefined) outline.answered_by = answeredBy
  if (reason !== undefined) outline.reason = reason
  outline.scenarios = namesOfActingScenarios(record)
  if (verdicts)
    outline.verdicts = verdicts.list().map((verdict) => ({
      ...verdict,
      why: redact(verdict.why, finders),
    }))
  outline.assumptions = [...new Set(record.assumed)]
  if (violations.length > 0) outline.violations = violations.map(toShownViolation)
  if (replyViolations.length > 0) {
    outline.reply_violations = replyViolations
    if (reason !== undefined)
      outline.reason += `; its reply breaks the contract: ${replyViolations.join(', ')}`
  }
  if (nearMisses) outline.near_misses = nearMisses()
  outline.ms = toDurations(record, monotonicNow()).ms
  return outline
}

/** Converts a stored entry to its shortest form: the line of the request, and the reason. */
export function toSummary(record: JournalRecord, head: ReadHead = readHead(record)): EntrySummary {
  const { finders, url } = head.shown
  const { method, explanation } = record
  const show = (text: string) => redact(text, finders, longestReason)
  return {
    request: {
      method: redact(method, finders),
      url,
    },
    reason: explanation && showExplanation(explanation, show),
  }
}

/** Returns the names of the bodies of which only the beginning is shown. */
function cutParts(record: JournalRecord): string[] {
  const { body, isTooLarge, replyBody } = record
  const cut: string[] = []
  if (isTooLarge || (body !== undefined && body.length > bodyCap)) cut.push('request.body')
  if (replyBody !== null && Math.min(replyBody.length, maxSentBytes(record)) > bodyCap)
    cut.push('response.body')
  return cut
}

/** Returns the most bytes of a reply to show: those that were sent, if it ended early. */
function maxSentBytes({ aborted, sent }: JournalRecord): number {
  return aborted ? sent : Infinity
}

/**
 * Returns the violations of a request. Those of the last request are used again if neither has a
 * body and all that rules judge is equal.
 */
function findViolations(record: JournalRecord, head: ReadHead): readonly Violation[] {
  const { method, inForce, isTooLarge, body } = record
  if (body?.length || isTooLarge) return validateRecord(record, head.known)
  const isSuccess = hasSucceeded(record)
  const { judged } = head
  if (
    judged &&
    judged.method === method &&
    judged.inForce === inForce &&
    judged.isSuccess === isSuccess
  )
    return judged.violations
  const violations = validateRecord(record, head.known)
  head.judged = {
    method,
    inForce,
    isSuccess,
    violations,
  }
  return violations
}

export function toShownUrl(
  { path, search = '', headers }: LoggedRequest,
  known: readonly SecretFinder[],
): string {
  return hideHead(
    {
      path,
      search,
      headers,
    },
    known,
  ).url
}

/** A head without its secrets, and what found them. */
interface ShownHead {
  readonly finders: readonly SecretFinder[]
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** A head that was read, and what was found in it. */
interface ReadHead {
  readonly head: RecordHead
  /** The finders of the world when it was read. */
  readonly known: readonly SecretFinder[]
  readonly shown: ShownHead
  judged?: {
    readonly method: string
    readonly inForce: JournalRecord['inForce']
    readonly isSuccess: boolean
    readonly violations: readonly Violation[]
  }
}

/**
 * The head that was read last, by journal: clients repeat requests, and a log shows each of them.
 */
const lastHeads = new WeakMap<object, ReadHead>()

/** The most characters of a head that is kept, because there can be many worlds. */
const longestKeptHead = 8_192

/** Finds the secrets in the head of a record, or returns the last head if it is the same. */
function readHead(record: JournalRecord): ReadHead {
  const known = record.journal.secretFinders()
  const previous = lastHeads.get(record.journal)
  if (
    previous &&
    hasSameHead(previous.head, record) &&
    known.every((finder, index) => finder === previous.known[index])
  )
    return previous
  const { path, search, headers } = record
  const created: ReadHead = {
    head: { path, search, headers },
    known,
    shown: hideHead(record, known),
  }
  if (path.length + search.length + headersSizeOf(headers) <= longestKeptHead)
    lastHeads.set(record.journal, created)
  return created
}

function hasSameHead(one: RecordHead, other: RecordHead): boolean {
  if (one.path !== other.path || one.search !== other.search) return false
  // Nothing is allocated here, because a log compares each request. Both have as many names.
  let surplus = 0
  for (const name in one.headers) {
    if (one.headers[name] !== other.headers[name]) return false
    surplus++
  }
  for (const _ in other.headers) surplus--
  return surplus === 0
}

function hideHead(record: RecordHead, known: readonly SecretFinder[]): ShownHead {
  const key = toSentKey(headerText(record.headers, 'authorization'))
  let finders = known
  if (key !== undefined && !isKnown(known, key)) finders = [new SecretFinder([key]), ...known]
  const headers: (readonly [string, string])[] = []
  for (const name in record.headers) {
    const value = headerText(record.headers, name)
    if (value !== undefined) headers.push([redact(name, finders), hideHeader(name, value, finders)])
  }
  return {
    finders,
    url: joinTarget(redact(record.path, finders), hideParameters(record.search, finders)),
    headers,
  }
}

/**
 * Returns how many characters of a body to show; `undefined` for all of them. @param sent how many
 * of its bytes were sent.
 */
function publicLengthOf(body: string | Uint8Array, sent: number): number | undefined {
  if (body.length <= bodyCap && sent === Infinity) return undefined
  const cap = typeof body === 'string' ? bodyCap : countCharacters(body, bodyCap)
  return Math.min(cap, countCharacters(toBytes(body), sent))
}

function countCharacters(body: Uint8Array, bytes: number): number {
  return toText(body.subarray(0, bytes)).length
}

/** Returns the violations of a stored request. Of a cut body, rules learn only that there is one. */
export function validateRecord(
  record: JournalRecord,
  known?: readonly SecretFinder[],
): readonly Violation[] {
  const { method, path, search, headers, inForce, journal } = record
  let finders = known
  return journal.validator({
    method,
    path,
    search,
    headers,
    body: toCheckedBody(record),
    assumptions: inForce,
    hasSucceeded: hasSucceeded(record),
    isSecret: (text) => isKnown((finders ??= journal.secretFinders()), withoutWorld(text)),
  })
}

/**
 * Returns whether the request succeeded while no scenario was active, so that its operation must
 * have accepted it.
 */
function hasSucceeded({ status, verdicts }: JournalRecord): boolean {
  return status >= 200 && status < 300 && verdicts === undefined
}

function toCheckedBody({ body, isTooLarge }: JournalRecord) {
  if (isTooLarge) return 'too-large'
  if (body === undefined || body.length === 0) return null
  return body.length > bodyCap ? 'not-kept' : body
}
