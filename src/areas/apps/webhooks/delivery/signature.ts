import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

/**
 * Signs a message as Standard Webhooks does. The library `standardwebhooks` would bring a second SHA-256 and base64 into
 * pages, 5 kB gzipped. @param timestamp in seconds since 1970 @throws Error if the secret is not base64
 */
export function signMessage(secret: string, id: string, timestamp: number, payload: string): string {
  const digest = hmac(sha256, toKey(secret), utf8ToBytes(`${id}.${timestamp}.${payload}`))
  return `v1,${btoa(String.fromCharCode(...digest))}`
}

function toKey(secret: string): Uint8Array {
  const bytes = decode(secret.replace(/^whsec_/, ''))
  if (!bytes) throw new Error('Failed to sign: the secret of the webhook is not base64.')
  return Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))
}

function decode(base64: string): string | undefined {
  try {
    return atob(base64)
  } catch {
    return undefined
  }
}
