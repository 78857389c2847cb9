import { sha256 } from './sha256.ts'

let utf8: TextEncoder | undefined

/** The bytes of a text in UTF-8. */
export function toUtf8(text: string): Uint8Array {
  return (utf8 ??= new TextEncoder()).encode(text)
}

/** What stands for a text of any length where only equality counts: the hex digits of its SHA-256. */
export function toDigest(text: string): string {
  return Array.from(sha256(toUtf8(text)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** What stands for a key wherever one is shown: `fp_` and the first 12 hex digits of its SHA-256. */
export function toFingerprint(secret: string): string {
  return 'fp_' + toDigest(secret).slice(0, 12)
}
