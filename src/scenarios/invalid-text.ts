import type { Exchange } from '../core/pipeline/exchange.ts'
import { toJson } from '../core/http/json.ts'
import { toBytes, type Reply } from '../core/http/reply.ts'

/** Characters that nothing means by itself; each takes three bytes in UTF-8. */
const privateUse = Array.from({ length: 0x1900 }, (_, place) => String.fromCharCode(0xe000 + place))

/**
 * Puts bytes that are no UTF-8 into strings of a reply. JSON's text can't hold them, so each string gets a character that
 * the reply does not have otherwise, and when the reply leaves, its three bytes become invalid ones. No length changes.
 */
export class InvalidText {
  readonly #marks = new WeakMap<Exchange, string>()

  /** The character for a reply's body; `''` for one that has them all. */
  mark(exchange: Exchange, body: unknown): string {
    const text = toJson(body)
    const mark = privateUse.find((character) => !text.includes(character)) ?? ''
    this.#marks.set(exchange, mark)
    return mark
  }

  /** The reply with invalid bytes wherever the character was. */
  spoil(exchange: Exchange, reply: Reply): Reply {
    const mark = this.#marks.get(exchange)
    if (!mark || reply.body === null) return reply
    const bytes = Uint8Array.from(toBytes(reply.body))
    const wanted = toBytes(mark)
    const places = [...bytes.keys()].filter((at) => wanted.every((byte, offset) => bytes[at + offset] === byte))
    for (const at of places) bytes.fill(0xff, at, at + wanted.length)
    return places.length > 0 ? { ...reply, body: bytes } : reply
  }
}

/** A string with a mark in its middle; what is no string stays. */
export function withMark(value: unknown, mark: string): unknown {
  if (typeof value !== 'string') return value
  const characters = [...value]
  return characters.toSpliced(characters.length >>> 1, 0, mark).join('')
}
