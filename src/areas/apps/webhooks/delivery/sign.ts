import { toUtf8 } from '../../../../core/store/fingerprint.ts'
import { hmacSha256 } from '../../../../core/store/sha256.ts'

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/**
 * The signature of Standard Webhooks: `v1,` and the HMAC-SHA-256 of id, time and payload in base64.
 * @param secret `whsec_` and the key in base64. @param timestamp in seconds since 1970. @throws Error when the secret is no base64.
 */
export function sign(secret: string, id: string, timestamp: number, payload: string): string {
  const key = toBytes(secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : secret)
  if (key.length === 0) throw new Error("Secret can't be empty.")
  const signature = hmacSha256(key, toUtf8(`${id}.${timestamp}.${payload}`))
  return `v1,${btoa(String.fromCharCode(...signature))}`
}

/** The bytes of a text in base64, with its padding or without. */
function toBytes(base64: string): Uint8Array {
  if (base64 === '') return new Uint8Array()
  const padding = base64.endsWith('===') ? 3 : base64.endsWith('==') ? 2 : Number(base64.endsWith('='))
  if (base64.length < 4 || padding > 2) throw new Error('Base64Coder: incorrect padding')
  const bytes: number[] = []
  let bits = 0
  let count = 0
  const length = base64.length - padding
  // A digit that is left over alone makes no byte, whatever it is.
  for (const character of base64.slice(0, length % 4 === 1 ? -1 - padding : length)) {
    const digit = digits.indexOf(character)
    if (digit < 0) throw new Error('Base64Coder: incorrect characters for decoding')
    bits = (bits << 6) | digit
    count += 6
    if (count < 8) continue
    count -= 8
    bytes.push(bits >> count)
    bits &= (1 << count) - 1
  }
  return Uint8Array.from(bytes)
}
