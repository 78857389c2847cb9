import { toJson } from './json.ts'

/** A reply as the core hands it to every adapter. */
export interface Reply {
  readonly status: number
  readonly headers: Record<string, string>
  /** The body as text, as bytes when it is not text, or `null` when there is none. */
  readonly body: string | Uint8Array | null
  /** How many bytes the body takes, where that is known. */
  readonly length?: number | undefined
  /** Whether it comes from something in front of the service and has none of its headers. */
  readonly bypassesService?: boolean | undefined
  /** How it leaves, where that is not whole and at once. */
  readonly wire?: Wire | undefined
  /** What an adapter tells how it left; see `tellLeft`. */
  note?: Noted | undefined
}

/** What waits to be told how a reply left: its entry in the journal. */
interface Noted {
  readonly journal: { left(note: Noted, bytes: number | undefined, aborted: boolean): void }
}

/**
 * Tells the journal that a reply has left; only the first time counts.
 * @param bytes how many bytes of the body were sent; without it all of them. @param aborted whether it ended early: a client that went away, a connection that was cut.
 */
export function tellLeft({ note }: Pick<Reply, 'note'>, bytes?: number, aborted = false): void {
  note?.journal.left(note, bytes, aborted)
}

/** What happens in the place of a reply. */
export type WireEnd = 'timeout' | 'network-error' | 'reset' | 'empty-reply' | 'garbage'

/** How a reply leaves, where that is not whole and at once. */
export interface Wire {
  /** What happens in its place; the reply itself has status 0 then. */
  readonly instead?: WireEnd
  /** The bytes in its place, with `garbage`. */
  readonly garbage?: Uint8Array
  /**
   * Gives the pieces in which the body leaves, each when its time has come, or at once when the client is gone.
   * @param signal aborts once the client is gone.
   * @param gap how far apart the events of a stream leave, in milliseconds, where that is not as usual.
   */
  readonly pieces?: (body: Uint8Array, signal?: AbortSignal, gap?: number) => AsyncIterable<Uint8Array>
  /** The connection closes after this many bytes of the body. */
  readonly cutAt?: number
  /** Names of headers that are sent twice. */
  readonly repeated?: readonly string[]
}

/** A reply with a JSON body. Pass `text`, its JSON, and `length`, in bytes, when they are already known. */
export function jsonReply(status: number, value: unknown, text: string = toJson(value), length?: number): Reply {
  const headers = { 'Content-Type': 'application/json' }
  // All replies have the same members, so that the engine compiles what reads them once.
  return { status, headers, body: text, length, bypassesService: undefined, wire: undefined, note: undefined }
}

/** A reply without a body. */
export function emptyReply(status: number): Reply {
  return {
    status,
    headers: {},
    body: null,
    length: undefined,
    bypassesService: undefined,
    wire: undefined,
    note: undefined,
  }
}

// Made with the first use: where there is none, it is `assertUsable` that says so.
let encoder: TextEncoder | undefined

const encode = (text: string) => (encoder ??= new TextEncoder()).encode(text)

/** The absence of a reply: a fault happens on the wire in its place. */
export function noReply(instead: WireEnd, wire: Wire = {}): Reply {
  return { status: 0, headers: {}, body: null, wire: { ...wire, instead } }
}

/** A body's bytes. */
export function toBytes(body: string | Uint8Array): Uint8Array {
  return typeof body === 'string' ? encode(body) : body
}

/** How many bytes a body takes, text in UTF-8. */
export function byteLength(text: string | Uint8Array): number {
  if (typeof text !== 'string') return text.length
  // eslint-disable-next-line no-control-regex
  return /^[\x00-\x7f]*$/.test(text) ? text.length : encode(text).length
}
