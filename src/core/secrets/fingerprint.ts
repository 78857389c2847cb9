import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

export function toDigest(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}

/** Returns the fingerprint of a key, which is shown in its place: `fp_` and the first 12 hex digits of its SHA-256. */
export function toFingerprint(secret: string): string {
  return 'fp_' + toDigest(secret).slice(0, 12)
}
