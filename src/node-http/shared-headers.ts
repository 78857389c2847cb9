import { IncomingMessage } from 'node:http'

export type ParsedHeaders = IncomingMessage['headers']

/** Headers that requests repeat, but for the value of Authorization: clients may alternate between keys. */
interface Repeated {
  readonly raw: readonly string[]
  /** The index of Authorization's value in `raw`; -1 without one. */
  readonly keyAt: number
  readonly byKey: Map<string, ParsedHeaders>
}

/** The most lists of headers to keep, and the most characters of shared headers: of one request, and in all. */
const maxLists = 4
const maxOfOne = 4_096
const maxOfAll = 2 ** 21

let lists: Repeated[] = []
let size = 0

/**
 * Returns the parsed headers of a request. Requests with equal headers share one object, which nobody may change; those that
 * differ only in their key share all other values. Clients repeat their headers, and the journal keeps them.
 */
export function readHeaders(message: IncomingMessage): ParsedHeaders {
  return message instanceof RepeatedMessage ? message.headers : share(message)
}

/**
 * The request of a server that shares headers, for the option `IncomingMessage` of `createServer`. Node itself reads `headers` of
 * every request; to parse them each time takes 1 µs.
 */
export class RepeatedMessage extends IncomingMessage {
  shared: ParsedHeaders | undefined
}

// TypeScript allows no accessor in a class instead of an inherited property.
Object.defineProperty(RepeatedMessage.prototype, 'headers', {
  get(this: RepeatedMessage) {
    return (this.shared ??= share(this))
  },
  set(this: RepeatedMessage, headers: ParsedHeaders) {
    this.shared = headers
  },
})

function share(message: IncomingMessage): ParsedHeaders {
  const { rawHeaders: raw } = message
  let list = lists.find((known) => isRepeated(known, raw))
  const known = list?.byKey.get(keyOf(list, raw))
  if (known !== undefined) return known
  const length = lengthOf(raw)
  if (length > maxOfOne) return parse(message)
  size += length
  if (size > maxOfAll) {
    lists = []
    list = undefined
    size = length
  }
  if (list === undefined) {
    list = { raw, keyAt: indexOfKey(raw), byKey: new Map() }
    lists = [list, ...lists.slice(0, maxLists - 1)]
  }
  const key = keyOf(list, raw)
  const [other] = list.byKey.values()
  const parsed = other === undefined ? parse(message) : { ...other, authorization: key }
  list.byKey.set(key, parsed)
  return parsed
}

function parse(message: IncomingMessage): ParsedHeaders {
  return Reflect.get(IncomingMessage.prototype, 'headers', message) as ParsedHeaders
}

function indexOfKey(raw: readonly string[]): number {
  for (let index = 0; index < raw.length; index += 2)
    if (raw[index]!.length === 13 && raw[index]!.toLowerCase() === 'authorization') return index + 1
  return -1
}

function keyOf({ keyAt }: Repeated, raw: readonly string[]): string {
  return keyAt < 0 ? '' : raw[keyAt]!
}

function isRepeated({ raw, keyAt }: Repeated, other: readonly string[]): boolean {
  if (raw.length !== other.length) return false
  for (let index = 0; index < raw.length; index++) if (index !== keyAt && raw[index] !== other[index]) return false
  return true
}

function lengthOf(raw: readonly string[]): number {
  let length = 0
  for (const text of raw) length += text.length
  return length
}
