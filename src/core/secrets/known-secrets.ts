import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { cached } from '../contract/cache.ts'
import { maxRepeated } from '../text/messages.ts'

/** Where a secret is in a text. */
export interface SecretSpan {
  readonly start: number
  readonly end: number
  /** The secret value, without quotes and scheme. */
  readonly secret: string
  /** True for a number of JSON: its fingerprint needs quotes. */
  readonly isNumber?: boolean
}

/** Shorter secrets are found only in their usual places: `Authorization: Bearer abc`. */
const shortestSecret = 4

/** Shorter secrets are found only as whole words: a key "plant" must not hide each "plants". */
const shortestWithinWords = 6

/** The characters of a gram: secrets are looked up by a number made of their first characters. */
const gramLength = 4

/** Finds known secrets in texts, in one pass whatever their number. */
export class SecretFinder {
  readonly #secrets = new Set<string>()
  /** The fingerprints that somebody needed, by secret. */
  readonly #fingerprints = new Map<string, string>()
  /** The lengths of the secrets that begin with a gram, the longest first. */
  readonly #lengths = new Map<number, number[]>()
  /** Has a 1 where a gram may be known: most characters of a text need no look into the map. */
  readonly #seenGrams: Uint8Array
  readonly #mask: number

  constructor(secrets: readonly string[]) {
    // Messages quote only the beginning of a long secret, so that is a secret, too.
    for (const secret of secrets)
      for (const text of [secret, secret.slice(0, maxRepeated)])
        if (text.length >= shortestSecret) this.#secrets.add(text)
    let size = 256
    while (size < this.#secrets.size * 16) size *= 2
    this.#seenGrams = new Uint8Array(size)
    this.#mask = size - 1
    for (const secret of this.#secrets) {
      let gram = 0
      for (let index = 0; index < gramLength; index++)
        gram = ((gram << 8) ^ secret.charCodeAt(index)) | 0
      this.#seenGrams[this.#slotOf(gram)] = 1
      const lengths = this.#lengths.get(gram)
      if (!lengths) this.#lengths.set(gram, [secret.length])
      else if (!lengths.includes(secret.length)) lengths.push(secret.length)
    }
    for (const lengths of this.#lengths.values()) lengths.sort((a, b) => b - a)
  }

  has(secret: string): boolean {
    return this.#secrets.has(secret)
  }

  /** Returns the fingerprint of a secret that it has. */
  fingerprintOf(secret: string): string {
    return cached(this.#fingerprints, secret, toFingerprint)
  }

  /** Adds the secrets in a text to `found`. */
  find(text: string, found: SecretSpan[]): void {
    if (this.#secrets.size === 0) return
    let gram = 0
    for (let index = 0; index < text.length; index++) {
      // The gram slides along the text: the shift drops the bits of the character four before.
      gram = ((gram << 8) ^ text.charCodeAt(index)) | 0
      if (index < gramLength - 1 || this.#seenGrams[this.#slotOf(gram)] === 0) continue
      const lengths = this.#lengths.get(gram)
      if (!lengths) continue
      const start = index - gramLength + 1
      for (const length of lengths) {
        const secret = text.slice(start, start + length)
        if (secret.length < length || !this.#secrets.has(secret)) continue
        if (length < shortestWithinWords && !isWord(text, start, start + length)) continue
        found.push({
          start,
          end: start + length,
          secret,
        })
        break
      }
    }
  }

  #slotOf(gram: number): number {
    return (Math.imul(gram, 0x9e3779b1) >>> 8) & this.#mask
  }
}

export function isKnown(finders: readonly SecretFinder[], secret: string): boolean {
  return finders.some((finder) => finder.has(secret))
}

function isWord(text: string, start: number, end: number): boolean {
  return !/\w/.test(text.charAt(start - 1)) && !/\w/.test(text.charAt(end))
}

export function toDigest(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}

export function toFingerprint(secret: string): string {
  return 'fp_' + toDigest(secret).slice(0, 12)
}
