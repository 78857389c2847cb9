import { type Explanation, explanationSize } from '../contract/errors.ts'
import { byteLength, groupHeaders, hasOwnLines, type Reply } from '../http/reply.ts'
import type { RequestHeaders, ServiceRequest } from '../http/request.ts'
import type { SecretFinder } from '../secrets/known-secrets.ts'
import { sizeOfText } from '../store/memory.ts'
import { copied } from '../text/values.ts'
import type { RequestValidator } from './violation.ts'

/** The journal of a record, as far as records need it. */
interface RecordKeeper {
  secretFinders(): readonly SecretFinder[]
  markSent(record: JournalRecord, bytes: number | undefined, aborted: boolean): void
  complete(record: JournalRecord, body: Uint8Array, late: LateParts): boolean
  readonly validator: RequestValidator
}

/** The parts of a reply in pieces that are known only at its end. */
export interface LateParts {
  explanation: Explanation | undefined
  /** The length of the reply's body in bytes. */
  length: number
}

/** The parts of a request that are shown even without its body. */
export interface RecordHead {
  readonly path: string
  readonly search: string
  readonly headers: RequestHeaders
}

/**
 * An entry as the journal stores it, secrets included. Read it synchronously; do not keep or change
 * it.
 */
export interface JournalRecord extends RecordHead, LateParts {
  readonly journal: RecordKeeper
  readonly id: number
  readonly at: number
  readonly operation: string | undefined
  readonly account: string | undefined
  readonly world: string
  readonly method: string
  readonly body: Uint8Array | undefined
  readonly isTooLarge: boolean
  readonly inForce: ReadonlyMap<string, string>
  /** The status of the reply; 0 when the connection ended without one. */
  readonly status: number
  readonly replyHeaders: Reply['headers']
  /** The values of the reply's headers that are sent more than once. */
  readonly several: Reply['several']
  /** The reply's body, or its beginning. */
  replyBody: Reply['body']
  readonly verdicts: Verdicts | undefined
  readonly assumed: readonly string[]
  readonly nearMisses: (() => NearMiss[]) | undefined
  /** The origin of the real service that answered. */
  readonly answeredBy: string | undefined
  replyViolations: RecordedExchange['replyViolations']
  /** The bytes that were sent; 0 until the reply is sent. */
  sent: number
  aborted: boolean
  /** When the request arrived, on the monotonic clock. */
  readonly startedAt: number
  /** When a delayed reply began to be sent; 0 until then. */
  answeredAt: number
  /** When the reply was sent; 0 until then. */
  leftAt: number
  /** The estimated memory of the entry. */
  bytes: number
}

/** How much of a body to show: of a request's in bytes, of a reply's in characters. */
export const bodyCap = 65_536

/** How much more of a body to store, to recognize a secret that crosses the limit. */
const secretOverlap = 256

// Sizes without the text, measured on Node 20 with test/journal/memory.full.test.ts.
const entrySize = 500
const headerSize = 74
const replyHeaderSize = 44
const bodySize = 300
const verdictsSize = 150
const verdictSize = 24
const firedSize = 320
const nearMissSize = 520

/** Estimates the memory of an entry. What it shares with the entry `before` counts there. */
export function estimateSize(record: JournalRecord, before?: JournalRecord): number {
  const { path, search, headers, body, verdicts, assumed, nearMisses, explanation } = record
  const { replyHeaders, several, replyBody } = record
  let bytes =
    entrySize + path.length + search.length + assumed.length * 8 + explanationSize(explanation)
  if (before?.headers !== headers) bytes += headersSizeOf(headers)
  bytes += headersSizeOf(replyHeaders, replyHeaderSize)
  for (const name in several)
    for (const value of several[name] ?? []) bytes += replyHeaderSize + value.length
  if (body) bytes += bodySize + body.length
  if (typeof replyBody === 'string') {
    if (replyBody !== before?.replyBody) bytes += sizeOfText(replyBody, record.length)
  } else if (replyBody !== null) bytes += bodySize + replyBody.length
  if (verdicts)
    bytes += verdictsSize + verdicts.size * verdictSize + verdicts.firedCount * firedSize
  if (nearMisses) bytes += nearMissSize
  return bytes
}

export function headersSizeOf(
  headers: Readonly<Record<string, { readonly length: number } | undefined>>,
  size = headerSize,
): number {
  let bytes = 0
  for (const name in headers) bytes += size + (headers[name]?.length ?? 0)
  return bytes
}

export function toJournalRecord(
  {
    journal,
    id,
  }: {
    readonly journal: RecordKeeper
    readonly id: number
  },
  exchange: RecordedExchange,
  reply: Reply,
  startedAt: number,
): JournalRecord {
  const { request, verdicts } = exchange
  const { status, headers, several, body } = toKeptReply(reply)
  return {
    journal,
    id,
    at: exchange.now,
    operation: exchange.operation?.id,
    account: exchange.account,
    world: exchange.world.name,
    method: request.method,
    path: request.path,
    search: request.search,
    headers: request.headers,
    body: request.body && request.body !== 'too-large' ? toKeptBytes(request.body) : undefined,
    isTooLarge: request.body === 'too-large',
    inForce: exchange.effectiveSettings.assumptions,
    status,
    replyHeaders: headers,
    several,
    replyBody: body,
    verdicts: verdicts.size > 0 ? verdicts : undefined,
    assumed: exchange.assumed,
    nearMisses: exchange.nearMisses,
    answeredBy: exchange.answeredBy,
    explanation: exchange.explanation,
    replyViolations: exchange.replyViolations,
    length: reply.body === null ? 0 : (reply.length ?? byteLength(reply.body)),
    sent: 0,
    aborted: false,
    startedAt,
    answeredAt: 0,
    leftAt: 0,
    bytes: 0,
  }
}

/**
 * Returns the milliseconds until the first byte and until the end of the reply; until now, if it is
 * not sent. @param now on the monotonic clock.
 */
export function toDurations(
  { startedAt, answeredAt, leftAt }: JournalRecord,
  now: number,
): {
  wait: number
  ms: number
} {
  const ms = (leftAt || now) - startedAt
  return {
    wait: answeredAt > 0 ? answeredAt - startedAt : ms,
    ms,
  }
}

/** Rounds milliseconds to whole microseconds, so that the parts of a time add up to it. */
export function toMicros(ms: number): number {
  return Math.round(ms * 1_000) / 1_000
}

export function namesOfActingScenarios({ verdicts }: JournalRecord): string[] {
  return verdicts?.actingScenarios() ?? []
}

/** Returns a reply as its entry keeps it: the headers as they are sent, and the body cut. */
function toKeptReply(reply: Reply): Reply {
  const { status, body, wire } = reply
  // The usual reply is kept itself: a copy would cost a POST 6 µs, a fifth of its time. A wire fault
  // would keep alive what it sends.
  const isShort = body === null || (typeof body === 'string' && body.length <= bodyCap)
  if (isShort && wire === undefined && !hasOwnLines(reply)) return reply
  const head = { status, ...groupHeaders(reply) }
  if (body === null) return { ...head, body }
  if (typeof body !== 'string')
    return {
      ...head,
      body: toKeptBytes(body),
    }
  return {
    ...head,
    body: body.length > bodyCap ? copied(body.slice(0, bodyCap + secretOverlap)) : body,
  }
}

/** Copies a small part of a larger buffer, which a view would keep alive. */
export function toKeptBytes(bytes: Uint8Array): Uint8Array {
  // V8 keeps up to 64 bytes in its heap until somebody reads `buffer`, which costs more than the
  // copy.
  if (bytes.length <= 64) return new Uint8Array(bytes)
  const isCut = bytes.length > bodyCap
  if (!isCut && bytes.buffer.byteLength <= bytes.length * 1.5 + 64) return bytes
  return new Uint8Array(isCut ? bytes.subarray(0, bodyCap + secretOverlap) : bytes)
}

/** The part of an exchange that the journal reads; the pipeline provides it. */
export interface RecordedExchange {
  readonly request: ServiceRequest
  readonly world: { readonly name: string }
  readonly now: number
  readonly operation: { readonly id: string } | undefined
  readonly account: string | undefined
  readonly effectiveSettings: { readonly assumptions: ReadonlyMap<string, string> }
  readonly assumed: readonly string[]
  readonly answeredBy: string | undefined
  readonly nearMisses: (() => NearMiss[]) | undefined
  readonly explanation: Explanation | undefined
  /** Finds how the reply of a real service breaks the contract, when the entry is read. */
  readonly replyViolations: ((record: JournalRecord) => readonly string[]) | undefined
  readonly verdicts: Verdicts
  readonly delay: number
}

/** An operation close to the request, and where it differs. */
export interface NearMiss {
  readonly operation: string
  readonly method: string
  /** The path from the service's root. */
  readonly path: string
  /** `method`: the path matches, the method does not. `path`: the path differs. */
  readonly differs: 'method' | 'path'
}

/** The decision of a scenario's effect about a request. */
export interface Verdict {
  readonly scenario: string
  /** The effect's id: `fault.0` is the first fault. */
  readonly effect: string
  fired: boolean
  /** Why it fired or did not. */
  why: string
}

/** The decision whether an effect acts on a request, and its reason. */
export interface EffectDecision {
  readonly due: boolean
  readonly why: string | ((count: number) => string)
  /** The number of this request among those that match the effect. */
  readonly count?: number
}

/** The name of an effect, which the journal keeps without the effect. */
export interface EffectName {
  readonly scenario: string
  readonly id: string
  readonly kind?: string
  /** True if what it does depends on the requests before, because it counts or keeps them. */
  readonly isCounting?: boolean
}

/**
 * What the effects of all active scenarios did with a request. The journal keeps it, so it holds no
 * effects.
 */
export class Verdicts {
  readonly #names: readonly EffectName[]
  readonly #decisions: readonly EffectDecision[]
  #firedIndexes: readonly number[] = []

  constructor(names: readonly EffectName[], decisions: readonly EffectDecision[]) {
    this.#names = names
    this.#decisions = decisions
  }

  get size(): number {
    return this.#decisions.length
  }

  /** True if an effect was active that counts or keeps requests. */
  get dependsOnOthers(): boolean {
    return this.#names.some(({ isCounting }) => isCounting)
  }

  get firedCount(): number {
    return this.#firedIndexes.length
  }

  /** Notes that the effect at an index changed something. */
  fire(index: number): void {
    if (index < this.#decisions.length && !this.#firedIndexes.includes(index))
      // The first `push` would make room for 17 indexes, and the journal keeps the list.
      this.#firedIndexes = [...this.#firedIndexes, index]
  }

  hasFired(index: number): boolean {
    return this.#firedIndexes.includes(index)
  }

  /** Returns the names of the scenarios that changed something, without repeats. */
  actingScenarios(): string[] {
    return [...new Set(this.#actingEffects().map(({ scenario }) => scenario))]
  }

  /** Returns the kind of each effect that changed something: `delay`, `extra`, `quota`. */
  actedKinds(): string[] {
    return this.#actingEffects().map(({ id, kind }) => kind ?? id.slice(0, id.indexOf('.')))
  }

  #actingEffects(): EffectName[] {
    return this.#names.filter((_, index) => this.hasFired(index))
  }

  /** Returns the verdicts of all effects, with their reasons as sentences. */
  list(): Verdict[] {
    return this.#decisions.map(({ due, why, count = 0 }, index) => {
      const { scenario, id } = this.#names[index]!
      const fired = this.hasFired(index)
      let reason = typeof why === 'string' ? why : why(count)
      if (due && !fired) reason += ', but there was nothing to change'
      return {
        scenario,
        effect: id,
        fired,
        why: reason,
      }
    })
  }
}

export const noVerdicts = new Verdicts([], [])
