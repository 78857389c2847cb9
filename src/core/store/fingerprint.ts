import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** What stands for a text of any length where only equality counts: the hex digits of its SHA-256. */
export function toDigest(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}

/** What stands for a key wherever one is shown: `fp_` and the first 12 hex digits of its SHA-256. */
export function toFingerprint(secret: string): string {
  return 'fp_' + toDigest(secret).slice(0, 12)
}
