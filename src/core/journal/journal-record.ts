import type { KeptVerdicts } from './verdict.ts'
import { copied } from '../store/copied.ts'
import type { RecordedExchange } from './recorded-exchange.ts'
import { explanationWeight, type Explanation } from '../definitions/explanation.ts'
import type { SecretFinder } from '../store/secret-finder.ts'
import type { NearMiss } from './near-miss.ts'
import { byteLength, type Reply } from '../http/reply.ts'
import { textWeight } from '../store/weight.ts'
import type { Violation } from './violation.ts'

/** What a large entry does not keep. */
export type Omitted =
  | 'request.headers'
  | 'request.body'
  | 'request.url'
  | 'response.headers'
  | 'response.body'
  | 'verdicts'

/** The journal that keeps an entry. */
interface Keeper {
  /** Drops its oldest entry. */
  evict(): void
  /** What finds the secrets of its world. */
  secretFinders(): readonly SecretFinder[]
  left(note: JournalRecord, bytes?: number, aborted?: boolean): void
  /** The violations of the request. */
  judge(note: JournalRecord, finders?: readonly SecretFinder[]): readonly Violation[]
}

/** An entry as the journal stores it, secrets included. Read it at once: do not keep or change it. @internal */
export interface JournalRecord {
  readonly journal: Keeper
  readonly id: number
  readonly at: number
  readonly operation: string | undefined
  readonly account: string | undefined
  readonly world: string
  readonly method: string
  readonly path: string
  readonly search: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Uint8Array | undefined
  /** Whether the adapter stopped reading the body at the limit. */
  readonly isTooLarge: boolean
  /** The assumptions in force as the request came, by id. */
  readonly inForce: ReadonlyMap<string, string>
  readonly reply: Reply
  readonly verdicts: KeptVerdicts | undefined
  /** The names of the scenarios that changed something, where the verdicts are not kept. */
  readonly fired: readonly string[] | undefined
  readonly assumed: readonly string[]
  readonly nearMisses: (() => NearMiss[]) | undefined
  /** What is not kept of it, since it was too large. */
  readonly omitted: readonly Omitted[] | undefined
  /** Why the reply is not what the client hoped for. */
  readonly explanation: Explanation | undefined
  /** How many bytes the reply's body has. */
  readonly length: number
  /** How many of them left; -1 until the reply has. */
  sent: number
  /** Whether the reply ended early. */
  aborted: boolean
  /** When the request came, when a reply that does not leave at once began to, and when it had left, on the steady clock; 0 until then. */
  readonly startedAt: number
  answeredAt: number
  leftAt: number
  /** How much memory it takes, in bytes, as far as it can be told. */
  readonly bytes: number
  /** The entries before and after it, of any journal. */
  older: JournalRecord | undefined
  newer: JournalRecord | undefined
}

/** How much of a body is shown, in bytes of a request's and characters of a reply's. */
export const bodyCap = 65_536

/** How much more of it is kept, so that a secret that reaches beyond the cap is recognized. */
const overlap = 256

// What things weigh besides their text, measured on Node 20 with test/journal/memory.test.ts.
const noteWeight = 528
const headerWeight = 80
const replyHeaderWeight = 60
const bodyWeight = 150
const verdictWeight = 90
const nearMissWeight = 240

/** Makes what is kept of an exchange. @param most how much it may weigh: of more, only the outline is kept. */
export function toJournalRecord(
  journal: Keeper,
  id: number,
  exchange: RecordedExchange,
  reply: Reply,
  startedAt: number,
  most: number,
): JournalRecord {
  const { request } = exchange
  const body = request.body && request.body !== 'too-large' ? toKeptBytes(request.body) : undefined
  const kept = toKeptReply(reply)
  const { headers } = request
  let bytes =
    noteWeight +
    request.path.length +
    request.search.length +
    exchange.verdicts.size * verdictWeight +
    exchange.assumed.length * 8
  for (const name in headers) bytes += headerWeight + (headers[name]?.length ?? 0)
  for (const name in kept.headers) bytes += replyHeaderWeight + kept.headers[name]!.length
  if (body) bytes += bodyWeight + body.length
  if (kept.body !== null)
    bytes += bodyWeight + (typeof kept.body === 'string' ? textWeight(kept.body) : kept.body.length)
  if (exchange.nearMisses) bytes += nearMissWeight
  if (exchange.explanation !== undefined) bytes += explanationWeight(exchange.explanation)
  const note: JournalRecord = {
    journal,
    id,
    at: exchange.now,
    operation: exchange.operation?.id,
    account: exchange.account,
    world: exchange.world.name,
    method: request.method,
    path: request.path,
    search: request.search,
    headers,
    body,
    isTooLarge: request.body === 'too-large',
    inForce: exchange.overlay.assumptions,
    reply: kept,
    verdicts: exchange.verdicts.size > 0 ? exchange.verdicts : undefined,
    fired: undefined,
    assumed: exchange.assumed,
    nearMisses: exchange.nearMisses,
    omitted: undefined,
    explanation: exchange.explanation,
    length: lengthOf(exchange, reply),
    sent: -1,
    aborted: false,
    startedAt,
    answeredAt: 0,
    leftAt: 0,
    bytes,
    older: undefined,
    newer: undefined,
  }
  return bytes > most ? toOutline(note, most) : note
}

/** How many bytes a reply's body has: what its header says, where no scenario could make that a lie. */
function lengthOf({ verdicts }: RecordedExchange, { body, headers, length, wire }: Reply): number {
  if (body === null) return 0
  return verdicts.size === 0 && wire === undefined ? Number(headers['Content-Length']) : (length ?? byteLength(body))
}

/** Milliseconds until the reply began to be sent, and until it was sent; until now, when it was not yet sent. @param now on the monotonic clock. @internal */
export function toDurations(
  { startedAt, answeredAt, leftAt }: JournalRecord,
  now: number,
): { wait: number; ms: number } {
  const ms = (leftAt || now) - startedAt
  return { wait: answeredAt > 0 ? answeredAt - startedAt : ms, ms }
}

/** The scenarios that changed something, each once. @internal */
export function toFired({ fired, verdicts }: Pick<JournalRecord, 'fired' | 'verdicts'>): string[] {
  return fired ? [...fired] : (verdicts?.acted() ?? [])
}

/** How many scenarios, and how much of a URL, the outline of a large entry names. */
const outlinedScenarios = 32
const outlinedUrl = 1_024

/** What is kept of an entry that is larger than all that a journal may hold: no bodies, no verdicts and, where that is too much still, no headers. */
function toOutline(note: JournalRecord, most: number): JournalRecord {
  const omitted: Omitted[] = []
  if (note.body) omitted.push('request.body')
  if (note.reply.body !== null) omitted.push('response.body')
  if (note.verdicts) omitted.push('verdicts')
  let bytes =
    noteWeight +
    note.path.length +
    note.search.length +
    note.assumed.length * 8 +
    (note.nearMisses ? nearMissWeight : 0) +
    explanationWeight(note.explanation)
  for (const name in note.headers) bytes += headerWeight + (note.headers[name]?.length ?? 0)
  for (const name in note.reply.headers) bytes += replyHeaderWeight + note.reply.headers[name]!.length
  const fired = toFired(note).slice(0, outlinedScenarios)
  const outline: JournalRecord = {
    ...note,
    body: undefined,
    reply: { ...note.reply, body: null },
    verdicts: undefined,
    fired,
    omitted,
    bytes,
  }
  if (bytes <= most) return outline
  const isLong = note.path.length + note.search.length > outlinedUrl
  return {
    ...outline,
    path: isLong ? copied(note.path.slice(0, outlinedUrl)) : note.path,
    search: isLong ? copied(note.search.slice(0, outlinedUrl)) : note.search,
    headers: {},
    reply: { status: note.reply.status, headers: {}, body: null },
    nearMisses: isLong ? undefined : note.nearMisses,
    omitted: [...omitted, 'request.headers', 'response.headers', ...(isLong ? (['request.url'] as const) : [])],
    bytes: Math.min(
      bytes,
      noteWeight + 2 * outlinedUrl + note.assumed.length * 8 + explanationWeight(note.explanation),
    ),
  }
}

/** The reply with no more of its body than is kept, and nothing that ties it to the connection. */
function toKeptReply(reply: Reply): Reply {
  const { status, headers, body, wire } = reply
  if (wire === undefined && (body === null || (typeof body === 'string' && body.length <= bodyCap))) return reply
  if (body === null) return { status, headers, body }
  if (typeof body !== 'string') return { status, headers, body: toKeptBytes(body) }
  return { status, headers, body: body.length > bodyCap ? copied(body.slice(0, bodyCap + overlap)) : body }
}

/** Copies bytes that are a small part of a larger buffer, which a view would keep alive. */
function toKeptBytes(bytes: Uint8Array): Uint8Array {
  const isCut = bytes.length > bodyCap
  if (!isCut && bytes.buffer.byteLength <= bytes.length * 1.5 + 64) return bytes
  return new Uint8Array(isCut ? bytes.subarray(0, bodyCap + overlap) : bytes)
}
