import { toJson } from './json.ts'

/** A reply as the core hands it to every adapter. */
export interface Reply {
  readonly status: number
  readonly headers: Record<string, string>
  /** The body's text, or `null` when there is none. */
  readonly body: string | null
}

/** A reply with a JSON body; `text` is the value's JSON where it is known already. */
export function jsonReply(status: number, value: unknown, text: string = toJson(value)): Reply {
  return { status, headers: { 'Content-Type': 'application/json' }, body: text }
}

/** A reply without a body. */
export function emptyReply(status: number): Reply {
  return { status, headers: {}, body: null }
}

const encoder = new TextEncoder()

/** How many bytes a text takes in UTF-8. */
export function byteLength(text: string): number {
  // eslint-disable-next-line no-control-regex
  return /^[\x00-\x7f]*$/.test(text) ? text.length : encoder.encode(text).length
}
