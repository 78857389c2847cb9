import { parseJsonOr, toCanonicalJson } from '../http/json.ts'
import { headerOf, joinTarget } from '../http/request.ts'
import { hideBody, hideParameters, redact } from '../secrets/secrets.ts'
import { SecretFinder } from '../secrets/known-secrets.ts'
import { isPlainKey } from '../accounts/accounts.ts'
import type { MatchedExchange } from './effect.ts'
import { prefixOfWorld, splitWorld } from '../http/address.ts'

/**
 * A request as a recording writes it: without its key, and with fingerprints instead of secrets.
 */
interface RecordedRequest {
  /** `GET /plants?limit=3` */
  readonly request: string
  /** The body, if it is text. */
  readonly sends?: string
  /** The bytes of any other body. */
  readonly sends_base64?: string
}

/** Returns a request as a recording writes it; `undefined` if its body was too large to read. */
export function toRecordedRequest(exchange: MatchedExchange): RecordedRequest | undefined {
  const { request } = exchange
  const { method, path, search, body } = request
  if (body === 'too-large') return undefined
  const finders = findersOf(exchange)
  const shownPath = redact(splitWorld(path).path, finders)
  const withoutBody = {
    request: `${method} ${joinTarget(shownPath, hideParameters(search, finders))}`,
  }
  if (body === null || body.length === 0) return withoutBody
  const type = headerOf(request, 'content-type')
  const text = toExactText(body)
  if (text === undefined)
    return {
      ...withoutBody,
      sends_base64: toBase64(body),
    }
  return {
    ...withoutBody,
    sends: hideBody(text, type, finders),
  }
}

/** Returns finders of the secrets that the world knows, and of the key that the request has. */
export function findersOf({ world, secret }: MatchedExchange): SecretFinder[] {
  const known = world.secretFinders()
  if (secret === undefined || isPlainKey(secret)) return known
  return [...known, new SecretFinder([secret])]
}

/**
 * Returns a Location on this server as a path without a world, as a recording may be served by
 * another server and in any world. Others stay.
 */
export function toRecordedLocation({ request }: MatchedExchange, location: string): string {
  const origin = `://${headerOf(request, 'host')}/`
  const at = location.indexOf(origin)
  const isOwn = at === 'http'.length || at === 'https'.length
  const inWorld = isOwn ? location.slice(at + origin.length - 1) : location
  const world = prefixOfWorld(request.path)
  const path = inWorld.startsWith(`${world}/`) ? inWorld.slice(world.length) : inWorld
  // Alone, a path that begins with two slashes would name another host.
  return path.startsWith('/') && !path.startsWith('//') ? path : location
}

/** Returns a Location of a recording as one in the world that the request names, if it names none. */
export function toServedLocation({ request }: MatchedExchange, location: string): string {
  const isOwnPath = location.startsWith('/') && !location.startsWith('//')
  if (!isOwnPath || prefixOfWorld(location) !== '') return location
  return prefixOfWorld(request.path) + location
}

/**
 * Returns a text that is the same for equal requests: the order of parameters and of the members of
 * JSON does not matter.
 */
export function toMatchKey({ request, sends, sends_base64: bytes }: RecordedRequest): string {
  // The first question mark ends the path; later ones belong to the query.
  const [target = '', query = ''] = request.split(/\?(.*)/s)
  const json = sends === undefined ? undefined : parseJsonOr(sends, undefined)
  const body = json === undefined ? (sends ?? bytes) : toCanonicalJson(json)
  return JSON.stringify([target, query.split('&').sort(), body])
}

/** Returns the text that encodes to these very bytes; `undefined` if they are not UTF-8. */
export function toExactText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', {
      fatal: true,
      ignoreBOM: true,
    }).decode(bytes)
  } catch {
    return undefined
  }
}

/** How many bytes to pass to one call: each is an argument, and the stack limits their number. */
const maxArguments = 8_192

export function toBase64(bytes: Uint8Array): string {
  let characters = ''
  for (let at = 0; at < bytes.length; at += maxArguments)
    characters += String.fromCharCode(...bytes.subarray(at, at + maxArguments))
  return btoa(characters)
}
