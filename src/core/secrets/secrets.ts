import { binarySearch, decodeWherePossible } from '../text/values.ts'
import { withoutWorld } from '../text/world-key.ts'
import { type SecretFinder, type SecretSpan, toFingerprint } from './known-secrets.ts'

// The rules of what is a secret:
// 1. A value that this Greenhouse knows: keys, webhook secrets, the token of the control API, what
//    a request sent as Authorization. It is hidden in every text.
// 2. The value of a header whose name is in one of these two lists.
// 3. The value of a parameter, of a field of JSON or of a form whose name is in one of these two
//    lists.

const secretHeaders =
  'authorization proxy-authorization cookie set-cookie x-auth x-amz-security-token'

const secretFields = `
  key api_key access_key secret_key private_key signing_key subscription_key
  secret client_secret webhook_secret signing_secret session_secret
  token access_token refresh_token id_token auth_token session_token csrf_token
  password passwd pwd pass passphrase credential credentials
  session session_id sid jwt sig signature otp pin card_number cvc cvv`

/** Names are compared without their case, their separators and an `X-` at the beginning. */
function toPlainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/^x-/, '')
    .replaceAll(/[-_. ]/g, '')
}

const secretNames = new Set(`${secretHeaders} ${secretFields}`.split(/\s+/).map(toPlainName))

/**
 * Returns whether a header, a parameter or a field of this name has a secret value: `X-Api-Key`,
 * `apiKey`, `auth[token]`.
 */
export function isSecretName(name: string): boolean {
  if (secretNames.has(toPlainName(name))) return true
  const last = /[.[]([\w-]+)\]?$/.exec(name)?.[1]
  return last !== undefined && secretNames.has(toPlainName(last))
}

type Finders = readonly SecretFinder[]

/** How many characters after a limit are searched too, for a secret that the limit would cut. */
const longestSecret = 4_096

/** Hides known values in a text. @param max the most characters to show */
export function redact(text: string, finders: Finders = [], max = Infinity): string {
  const shown = hideSpans(text.slice(0, max + longestSecret), [], finders, max)
  return text.length > max ? `${shown}…` : shown
}

/**
 * Hides the value of a header with a secret name: of `Cookie` and `Set-Cookie` the values of the
 * cookies, of any other all but a scheme. In other headers, hides parameters and known values.
 */
export function hideHeader(name: string, value: string, finders: Finders): string {
  if (!isSecretName(name)) return hideParameters(value, finders)
  const plainName = toPlainName(name)
  if (plainName === 'cookie') return hideSpans(value, findCookies(value), finders)
  // In a reply, the attributes of a cookie follow it.
  const [cookie = ''] = value.split(';', 1)
  if (plainName === 'setcookie') return hideSpans(value, findCookies(cookie), finders)
  const scheme =
    /^(?:bearer|basic|digest|token|apikey|negotiate) +\S/i.exec(value)?.[0].slice(0, -1) ?? ''
  if (value === '') return ''
  return hideSpans(value, [toSpan(value, scheme.length, value.length)], finders)
}

/** Finds the values in `theme=dark; sid=3`. A part without a name is a value. */
function findCookies(text: string): SecretSpan[] {
  return Array.from(text.matchAll(/([^;]+)/g), ({ 0: pair, index }) =>
    toSpan(text, index + pair.indexOf('=') + 1, index + pair.length),
  ).filter(({ start, end }) => start < end)
}

/** `name=value` at the beginning, or after a separator. */
const parameterPattern = /(?:^|[?&;#])([^=?&;#\s]+)=([^&;#\s"<>]+)/g

/**
 * Hides the values of parameters with secret names, in a query, a URL or a form, and known values.
 */
export function hideParameters(text: string, finders: Finders): string {
  return hideSpans(text, findParameters(text), finders)
}

function findParameters(text: string): SecretSpan[] {
  const spans: SecretSpan[] = []
  if (!text.includes('=')) return spans
  for (const { 0: whole, 1: name = '', 2: value = '', index } of text.matchAll(parameterPattern)) {
    const end = index + whole.length
    if (isSecretName(decodeWherePossible(name))) spans.push(toSpan(text, end - value.length, end))
  }
  return spans
}

const memberPattern = /"([^"\\]+)"\s*:\s*(?:"((?:[^"\\]|\\.)+)|(-?\d[\d.eE+-]*))/g

/** Finds the values of fields with secret names in a body of `multipart/form-data`. */
function findFormFields(form: string): SecretSpan[] {
  const spans: SecretSpan[] = []
  let end = 0
  for (const part of form.split('\r\n--')) {
    const start = end
    end += part.length
    const headEnd = part.indexOf('\r\n\r\n')
    const [, name] = /\bname="([^"\r\n]*)/.exec(part.slice(0, Math.max(headEnd, 0))) ?? []
    if (name !== undefined && isSecretName(name) && headEnd + 4 < part.length)
      spans.push(toSpan(form, start + headEnd + 4, end))
    end += '\r\n--'.length
  }
  return spans
}

/**
 * Hides known values in a body, and the values of fields with secret names: of JSON, whole or cut,
 * of forms, and of URLs in them. @param type the Content-Type of the body. @param limit the end of
 * the part to show; a secret that crosses the limit is hidden whole
 */
export function hideBody(
  text: string,
  type: string | undefined,
  finders: Finders,
  limit?: number,
): string {
  const spans = findParameters(text)
  if (type?.startsWith('multipart/')) spans.push(...findFormFields(text))
  for (const { 0: whole, 1: name = '', 2: value, 3: number = '', index } of text.matchAll(
    memberPattern,
  )) {
    if (!isSecretName(name)) continue
    const end = index + whole.length
    if (value !== undefined) spans.push(toSpan(text, end - value.length, end))
    else
      spans.push({
        start: end - number.length,
        end,
        secret: number,
        isNumber: true,
      })
  }
  return hideSpans(text, spans, finders, limit)
}

function toSpan(text: string, start: number, end: number): SecretSpan {
  return {
    start,
    end,
    secret: withoutWorld(decodeWherePossible(text.slice(start, end))),
  }
}

/** Replaces the named spans, and all known values, by fingerprints. */
function hideSpans(
  text: string,
  namedSpans: readonly SecretSpan[],
  finders: Finders,
  limit = text.length,
): string {
  const spans = [...namedSpans]
  for (const level of decodeLevels(text)) {
    const found: SecretSpan[] = []
    for (const finder of finders) finder.find(level.text, found)
    for (const { start, end, secret } of found)
      spans.push({
        start: level.toOriginal(start),
        end: level.toOriginal(end),
        secret,
      })
  }
  // Of spans that begin together, the longest comes first.
  spans.sort((one, other) => one.start - other.start || other.end - one.end)
  const parts: string[] = []
  let writtenUntil = 0
  for (const { start, end, secret, isNumber } of spans) {
    if (start >= limit) break
    // A secret within another one is hidden with it.
    if (start < writtenUntil) continue
    const shown = toShownSecret(secret, finders)
    parts.push(text.slice(writtenUntil, start), isNumber ? `"${shown}"` : shown)
    writtenUntil = end
  }
  return parts.join('') + text.slice(writtenUntil, limit)
}

/**
 * Returns the fingerprint of a secret. A fingerprint stays as it is, so that hiding twice is hiding
 * once.
 */
export function toShownSecret(secret: string, finders: Finders): string {
  if (/^fp_[\da-f]{12}$/.test(secret)) return secret
  return (
    finders.find((finder) => finder.has(secret))?.fingerprintOf(secret) ?? toFingerprint(secret)
  )
}

/** A text with its escapes decoded, and where its characters were in the original. */
interface DecodedText {
  readonly text: string
  toOriginal(index: number): number
}

/** How often a string is decoded: a URL in a URL's parameter in JSON is escaped several times. */
const maxDecodings = 3

/** Returns the text itself, then decoded once, twice and so on, while there are escapes. */
function decodeLevels(text: string): DecodedText[] {
  const all: DecodedText[] = []
  let level: DecodedText | undefined = {
    text,
    toOriginal: (index) => index,
  }
  while (level && all.length <= maxDecodings) {
    all.push(level)
    level = decodeEscapes(level)
  }
  return all
}

/** A percent-encoded character of ASCII, or an escape of JSON for one. */
const escapePattern = /%[0-7][\da-fA-F]|\\(?:["\\/]|u00[0-7][\da-fA-F])/g

function decodeEscapes({ text, toOriginal }: DecodedText): DecodedText | undefined {
  if (!text.includes('%') && !text.includes('\\')) return undefined
  const parts: string[] = []
  // For each escape: where its character ends in the decoded text, and by how much the decoded
  // text is shorter from there on.
  const shifts: {
    readonly from: number
    readonly by: number
  }[] = []
  let length = 0
  let end = 0
  for (const { 0: escape, index } of text.matchAll(escapePattern)) {
    const character =
      escape.length === 2
        ? escape.charAt(1)
        : String.fromCharCode(Number.parseInt(escape.slice(-2), 16))
    parts.push(text.slice(end, index), character)
    length += index - end + 1
    end = index + escape.length
    shifts.push({
      from: length,
      by: end - length,
    })
  }
  if (parts.length === 0) return undefined
  parts.push(text.slice(end))
  return {
    text: parts.join(''),
    toOriginal(index) {
      const passed = binarySearch(shifts, ({ from }) => from <= index)
      return toOriginal(index + (shifts[passed - 1]?.by ?? 0))
    },
  }
}
