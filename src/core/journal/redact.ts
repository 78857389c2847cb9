import { decodings, type DecodedText } from './decoded-text.ts'
import { copied } from '../store/copied.ts'
import { toFingerprint } from '../store/fingerprint.ts'
import { isSecretName } from './secret-names.ts'
import { SecretFinder, type Found } from '../store/secret-finder.ts'
import { addWhole, findPlaces, type Place, type TextKind } from './secret-places.ts'

/** How many fingerprints one text is given; what else is secret in it is hidden, since each takes time to make. */
const mostFingerprints = 64

/** The longest secret that is given one. */
const longestSecret = 4_096

/** How many values that a request itself calls secret are looked for in all of it. */
const mostSent = 32

/** A text that was looked through, to be shown without its secrets. */
export interface Scanned {
  readonly text: string
  readonly decoded: readonly DecodedText[]
  readonly places: readonly Place[]
}

/** Short texts in which nothing was found, by what they are: requests have the same URLs and headers again and again. */
const clean: Readonly<Record<TextKind, Map<string, Scanned>>> = { url: new Map(), path: new Map(), text: new Map() }

/** How many of each kind are remembered, and how long they are at most. */
const mostClean = 1_000
const longestClean = 200

/** Finds secrets in a text by name or form, even if percent-encoded or escaped. */
export function scan(text: string, kind: TextKind = 'text'): Scanned {
  if (text.length > longestClean) return look(text, kind)
  const ofKind = clean[kind]
  const known = ofKind.get(text)
  if (known) return known
  const own = copied(text)
  const scanned = look(own, kind)
  if (scanned.places.length === 0) {
    if (ofKind.size >= mostClean) ofKind.clear()
    ofKind.set(own, scanned)
  }
  return scanned
}

function look(text: string, kind: TextKind): Scanned {
  const decoded = decodings(text)
  const places: Place[] = []
  for (const level of decoded) {
    const here: Place[] = []
    findPlaces(level.text, kind, here)
    for (const place of here)
      places.push({ ...place, start: level.toOriginal(place.start), end: level.toOriginal(place.end) })
  }
  return { text, decoded, places }
}

/** The same for a header, whose name may say that all of it is secret. */
export function scanHeader(name: string, value: string): Scanned {
  if (isSecretName(name)) {
    const places: Place[] = []
    addWhole(value, places)
    return { text: value, decoded: [{ text: value, toOriginal: (index) => index }], places }
  }
  return scan(value, 'url')
}

const emptyFinder = new SecretFinder([])

/** What a request itself says is secret: found wherever else it stands in what is kept of the request. */
export class SentSecrets {
  readonly #secrets: string[] = []

  /** Takes note of a key, however it looks. */
  addKey(secret: string): void {
    if (this.#secrets.length < mostSent && !this.#secrets.includes(secret)) this.#secrets.push(secret)
  }

  /** Takes note of what was found by its name, unless it is a word that may well stand elsewhere. */
  add({ places }: Scanned): void {
    for (const { secret } of places)
      if (secret.length >= 8 && secret.length <= longestSecret && (secret.length >= 20 || /[^a-z]/i.test(secret)))
        this.addKey(secret)
  }

  /** What finds those of them that are not known already. */
  toFinder(known: readonly SecretFinder[]): SecretFinder {
    const unknown = this.#secrets.filter((secret) => !known.some((finder) => finder.has(secret)))
    return unknown.length === 0 ? emptyFinder : new SecretFinder(unknown)
  }
}

type Range = Pick<Place, 'start' | 'end' | 'secret' | 'isNumber'>

/**
 * Shows a text with a fingerprint for each secret: those that the finders know, and those that were found by name or form.
 * @param limit where the text ends; a secret that reaches beyond it is replaced whole.
 */
export function redact(
  { text, decoded, places }: Scanned,
  finders: readonly SecretFinder[],
  limit: number = text.length,
): string {
  const ranges: Range[] = places.slice()
  const found: Found[] = []
  for (const level of decoded) {
    for (const finder of finders) finder.find(level.text, found)
    for (const { start, end, secret } of found.splice(0))
      ranges.push({ start: level.toOriginal(start), end: level.toOriginal(end), secret })
  }
  if (ranges.length === 0) return limit < text.length ? text.slice(0, limit) : text
  return replace(text, ranges, limit, finders)
}

function replace(text: string, ranges: Range[], limit: number, finders: readonly SecretFinder[]): string {
  ranges.sort((one, other) => one.start - other.start || other.end - one.end)
  const parts: string[] = []
  let at = 0
  let fingerprints = 0
  for (let index = 0; index < ranges.length;) {
    const { start, secret, isNumber } = ranges[index]!
    if (start >= limit) break
    let { end } = ranges[index]!
    // What overlaps is one secret: the one that begins first, and of those the longest, gives the fingerprint.
    for (index++; index < ranges.length && ranges[index]!.start < end; index++) end = Math.max(end, ranges[index]!.end)
    const isTold = secret !== '' && secret.length <= longestSecret && fingerprints++ < mostFingerprints
    const shown = isTold ? fingerprintOf(secret, finders) : '[hidden]'
    parts.push(text.slice(at, start), isNumber ? `"${shown}"` : shown)
    at = end
  }
  if (at < limit) parts.push(text.slice(at, limit))
  return parts.join('')
}

function fingerprintOf(secret: string, finders: readonly SecretFinder[]): string {
  return finders.find((finder) => finder.has(secret))?.fingerprintOf(secret) ?? toFingerprint(secret)
}

/** How much of a message is shown. */
const longestMessage = 8_192

/** A text without what is secret by its name or its form, and without what the finders know. */
export function redactText(text: string, finders: readonly SecretFinder[] = []): string {
  return redact(scan(text), finders)
}

/** The same for a message, which may quote a request at length: its beginning. */
export function redactMessage(message: string, finders: readonly SecretFinder[] = []): string {
  return message.length > longestMessage
    ? redactText(message.slice(0, longestMessage), finders) + '…'
    : redactText(message, finders)
}
