import type { Exchange } from '../core/pipeline/exchange.ts'
import { toJson } from '../core/http/json.ts'
import { toBytes, type Reply } from '../core/http/reply.ts'

/**
 * Puts invalid UTF-8 into strings of a reply. A JavaScript string cannot contain invalid UTF-8, so each string first gets a
 * character that the reply does not have; `makeInvalid` then replaces the character's three bytes. The length stays the same.
 */
export class InvalidText {
  readonly #marks = new WeakMap<Exchange, string>()

  /** Returns a character that does not occur in a reply's body; `''` if the body has all of them. */
  mark(exchange: Exchange, body: unknown): string {
    const mark = unusedIn(toJson(body))
    this.#marks.set(exchange, mark)
    return mark
  }

  makeInvalid(exchange: Exchange, reply: Reply): Reply {
    const mark = this.#marks.get(exchange)
    if (!mark || reply.body === null) return reply
    const bytes = Uint8Array.from(toBytes(reply.body))
    const wanted = toBytes(mark)
    const places = [...bytes.keys()].filter((at) => wanted.every((byte, offset) => bytes[at + offset] === byte))
    for (const at of places) bytes.fill(0xff, at, at + wanted.length)
    return places.length > 0 ? { ...reply, body: bytes } : reply
  }
}

function unusedIn(text: string): string {
  for (let code = 0xe000; code < 0xf900; code++) {
    const character = String.fromCharCode(code)
    if (!text.includes(character)) return character
  }
  return ''
}

export function withMark(value: unknown, mark: string): unknown {
  if (typeof value !== 'string') return value
  const characters = [...value]
  return characters.toSpliced(characters.length >>> 1, 0, mark).join('')
}
