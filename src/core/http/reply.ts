import type { WorldClock } from '../time/world-clock.ts'
import { toJson } from './json.ts'

interface ReplyHeaders {
  readonly headers: Record<string, string>
  /**
   * The values of headers that are sent more than once. `headers` has them joined, and wins where
   * it differs.
   */
  readonly several?: SeveralValues
}

export interface Reply extends ReplyHeaders {
  readonly status: number
  body: string | Uint8Array | null
  length?: number
  /**
   * True if the reply comes from a proxy in front of the service, and so lacks the service's
   * headers.
   */
  readonly bypassesService?: boolean
  readonly wire?: Wire
  /** The headers of a real service. `headers` has each name once, and wins where it differs. */
  readonly received?: Received
  record?: UnsentRecord
}

type SeveralValues = Readonly<Record<string, readonly string[]>>

export interface Received {
  /** The reason phrase; without it, the usual one is sent. */
  readonly phrase: string | undefined
  /** Returns names and values in turn: as they came, with what `headers` changed since. */
  toRaw(headers: Reply['headers']): string[]
}

/**
 * Returns whether a header of the reply is written in another way than once, as `headers` has it.
 */
export function hasOwnLines({ several, received, wire }: Reply): boolean {
  return several !== undefined || received !== undefined || wire?.repeated !== undefined
}

/** Returns the headers as they are sent: names, which may repeat, and values in turn. */
export function toRawHeaders({ headers, several, received, wire }: Reply): string[] {
  const once = received ? received.toRaw(headers) : Object.entries(headers).flat()
  // A proxy sends most replies as they came.
  if (several === undefined && wire?.repeated === undefined) return once
  const repeated = new Set(wire?.repeated?.map((name) => name.toLowerCase()))
  return toPairs(once).flatMap(([name, value]) => {
    let values = several?.[name]
    if (values?.join(', ') !== value) values = [value]
    const lines = values.flatMap((one) => [name, one])
    if (repeated.has(name.toLowerCase())) return [...lines, ...lines]
    return lines
  })
}

/**
 * Returns the headers of a reply as they are sent, each name once, and the values of those that
 * repeat.
 */
export function groupHeaders(reply: Reply): ReplyHeaders {
  if (!hasOwnLines(reply)) return { headers: reply.headers }
  const headers: Record<string, string> = {}
  const names = new Map<string, string>()
  let several: Record<string, readonly string[]> | undefined
  for (const [written, value] of toPairs(toRawHeaders(reply))) {
    const lower = written.toLowerCase()
    const name = names.get(lower)
    if (name === undefined) {
      names.set(lower, written)
      headers[written] = value
    } else {
      const values = [...(several?.[name] ?? [headers[name]!]), value]
      several = {
        ...several,
        [name]: values,
      }
      headers[name] = values.join(', ')
    }
  }
  return { headers, several }
}

/** Names and values come in turn. */
export function toPairs(raw: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = []
  let name: string | undefined
  for (const text of raw) {
    if (name === undefined) name = text
    else {
      pairs.push([name, text])
      name = undefined
    }
  }
  return pairs
}

interface UnsentRecord {
  readonly journal: {
    markSent(record: UnsentRecord, bytes: number | undefined, aborted: boolean): void
  }
}

/**
 * Only the first call counts. @param bytes how many were sent; by default all. @param aborted if it
 * ended early.
 */
export function markSent({ record }: Reply, bytes?: number, aborted = false): void {
  record?.journal.markSent(record, bytes, aborted)
}

/** Statuses without a body and without Content-Length (RFC 9110, 8.6). */
export const bodiless = new Set([204, 205, 304])

export type WireEnd = 'timeout' | 'network-error' | 'reset' | 'empty-reply' | 'garbage'

export interface Wire {
  readonly instead?: WireEnd
  readonly garbage?: Uint8Array
  /**
   * Yields the pieces, each when it is due, or immediately when the client has gone. @param gap in
   * milliseconds.
   */
  readonly pieces?: (
    body: Uint8Array,
    signal?: AbortSignal,
    gap?: number,
  ) => AsyncIterable<Uint8Array>
  readonly cutAt?: number
  readonly repeated?: readonly string[]
}

export function jsonReply(
  status: number,
  value: unknown,
  text: string = toJson(value),
  length?: number,
): Reply {
  return plainReply(status, { 'Content-Type': 'application/json' }, text, length)
}

export function emptyReply(status: number): Reply {
  return plainReply(status, {}, null)
}

/** With the same members in the same order, so the engine optimizes code that reads replies. */
function plainReply(
  status: number,
  headers: Record<string, string>,
  body: Reply['body'],
  length?: number,
): Reply {
  return {
    status,
    headers,
    body,
    length,
    bypassesService: undefined,
    wire: undefined,
    record: undefined,
  }
}

// Created on first use: where TextEncoder is missing, `assertUsable` must be the first to report
// it.
let encoder: TextEncoder | undefined

const encode = (text: string) => (encoder ??= new TextEncoder()).encode(text)

export function noReply(instead: WireEnd, wire: Wire = {}): Reply {
  return {
    status: 0,
    headers: {},
    body: null,
    wire: { ...wire, instead },
  }
}

let decoder: TextDecoder | undefined

export function toText(bytes: Uint8Array): string {
  return (decoder ??= new TextDecoder()).decode(bytes)
}

/** Returns a text with these very bytes, one for each character, if they are one. */
export function toAscii(bytes: Uint8Array): string | undefined {
  const text = toText(bytes)
  if (text.length === bytes.length && byteLength(text) === text.length) return text
  return undefined
}

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

export function toBytes(body: string | Uint8Array): Uint8Array {
  if (typeof body === 'string') return encode(body)
  return body
}

/** Copies: a piece may hold on to the 64 KiB that a socket read, and a pooled Buffer to 8 KiB. */
export function concatBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

export function byteLength(text: string | Uint8Array): number {
  if (typeof text !== 'string') return text.length
  // eslint-disable-next-line no-control-regex
  if (/^[\x00-\x7f]*$/.test(text)) return text.length
  return encode(text).length
}

export interface ServerSentEvent {
  readonly event: string
  readonly data: unknown
}

export const defaultGap = 10

export function eventStreamReply(
  status: number,
  events: readonly ServerSentEvent[],
  clock: WorldClock,
): Reply {
  const frames = events.map(({ event, data }) => `event: ${event}\ndata: ${toJson(data)}\n\n`)
  return {
    status,
    headers: {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache',
    },
    body: frames.join(''),
    wire: inEvents(clock),
  }
}

export function inEvents(clock: WorldClock): Wire {
  return { pieces: (body, signal, gap = defaultGap) => sendEvents(body, clock, gap, signal) }
}

/** Returns a header of a reply: a scenario may write its name in any case. */
export function replyHeader(headers: Reply['headers'], name: string): string | undefined {
  const isNamed = (other: string) => other.toLowerCase() === name.toLowerCase()
  return headers[name] ?? Object.entries(headers).find(([other]) => isNamed(other))?.[1]
}

export function isEventStream({ headers, wire }: Reply): boolean {
  return (
    wire?.pieces !== undefined && headers['Content-Type']?.startsWith('text/event-stream') === true
  )
}

async function* sendEvents(
  body: Uint8Array,
  clock: WorldClock,
  gap: number,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let start = 0
  while (start < body.length) {
    if (start > 0) await clock.wait(gap, signal)
    const end = endOfEvent(body, start)
    yield body.subarray(start, end)
    start = end
  }
}

export function endOfEvent(body: Uint8Array, start: number): number {
  for (let at = start; at + 1 < body.length; at++)
    if (body[at] === 10 && body[at + 1] === 10) return at + 2
  return body.length
}

export interface Outcome {
  readonly status: number
  readonly body?: unknown
  readonly text?: string
  readonly length?: number
  readonly events?: readonly ServerSentEvent[]
}
