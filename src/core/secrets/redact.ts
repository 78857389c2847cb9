import { type DecodedText, decodings, isSecretName } from './secret-names.ts'
import { SecretFinder, toFingerprint } from './secret-finder.ts'
import { addSecret, findSpans, type SecretSpan, type TextKind } from './secret-spans.ts'

/** The most fingerprints in one string; further secrets are only hidden, because each fingerprint takes time. */
const maxFingerprints = 64

const longestSecret = 4_096

const maxSent = 32

export interface Scanned {
  readonly text: string
  readonly decoded: readonly DecodedText[]
  readonly spans: readonly SecretSpan[]
}

export function scan(text: string, kind: TextKind = 'text'): Scanned {
  const decoded = decodings(text)
  const spans: SecretSpan[] = []
  for (const level of decoded) {
    const here: SecretSpan[] = []
    findSpans(level.text, kind, here)
    for (const span of here)
      spans.push({ ...span, start: level.toOriginal(span.start), end: level.toOriginal(span.end) })
  }
  return { text, decoded, spans }
}

export function scanHeader(name: string, value: string): Scanned {
  if (isSecretName(name)) {
    const spans: SecretSpan[] = []
    addSecret(value, 0, value.length, '', spans)
    return { text: value, decoded: [{ text: value, toOriginal: (index) => index }], spans }
  }
  return scan(value, 'url')
}

const emptyFinder = new SecretFinder([])

export class SentSecrets {
  readonly #secrets: string[] = []

  addKey(secret: string): void {
    if (this.#secrets.length < maxSent && !this.#secrets.includes(secret)) this.#secrets.push(secret)
  }

  add({ spans }: Scanned): void {
    for (const { secret } of spans)
      if (secret.length >= 8 && secret.length <= longestSecret && (secret.length >= 20 || /[^a-z]/i.test(secret)))
        this.addKey(secret)
  }

  toFinder(known: readonly SecretFinder[]): SecretFinder {
    const unknown = this.#secrets.filter((secret) => !known.some((finder) => finder.has(secret)))
    return unknown.length === 0 ? emptyFinder : new SecretFinder(unknown)
  }
}

/** @param limit the end of the public text; a secret that crosses it is replaced whole. */
export function hide(
  { text, decoded, spans }: Scanned,
  finders: readonly SecretFinder[],
  limit: number = text.length,
): string {
  const ranges: SecretSpan[] = spans.slice()
  const found: SecretSpan[] = []
  for (const level of decoded) {
    for (const finder of finders) finder.find(level.text, found)
    for (const { start, end, secret } of found.splice(0))
      ranges.push({ start: level.toOriginal(start), end: level.toOriginal(end), secret })
  }
  if (ranges.length === 0) return limit < text.length ? text.slice(0, limit) : text
  return replace(text, ranges, limit, finders)
}

function replace(text: string, ranges: SecretSpan[], limit: number, finders: readonly SecretFinder[]): string {
  ranges.sort((one, other) => one.start - other.start || other.end - one.end)
  const parts: string[] = []
  let at = 0
  let fingerprints = 0
  for (let index = 0; index < ranges.length;) {
    const { start, secret, isNumber } = ranges[index]!
    if (start >= limit) break
    let { end } = ranges[index]!
    // Overlapping matches are one secret. The one that begins first, and of those the longest, gives the fingerprint.
    for (index++; index < ranges.length && ranges[index]!.start < end; index++) end = Math.max(end, ranges[index]!.end)
    const hasFingerprint = secret.length <= longestSecret && fingerprints++ < maxFingerprints
    const shown = hasFingerprint ? toShownSecret(secret, finders) : '[hidden]'
    parts.push(text.slice(at, start), isNumber ? `"${shown}"` : shown)
    at = end
  }
  return parts.join('') + text.slice(at, limit)
}

export function toShownSecret(secret: string, finders: readonly SecretFinder[]): string {
  return finders.find((finder) => finder.has(secret))?.fingerprintOf(secret) ?? toFingerprint(secret)
}

/** For every way out of the process. @param max the most characters to show. */
export function redact(text: string, finders: readonly SecretFinder[] = [], max = Infinity): string {
  return text.length > max
    ? hide(scan(text.slice(0, max + longestSecret)), finders, max) + '…'
    : hide(scan(text), finders)
}
