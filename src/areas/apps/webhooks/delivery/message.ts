import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { WebhookRequest } from '../../../../core/http/webhook-transport.ts'
import { systemNow } from '../../../../core/time/clock.ts'
import type { CoreWorld } from '../../../../core/world/world.ts'
import type { Attempt, Webhook } from '../schemas.ts'
import { assumed } from '../assumptions.ts'

export interface WebhookMessage {
  readonly id: string
  readonly payload: string
  /** When it was due, in milliseconds since 1970 on the world's clock. */
  readonly due: number
  /** The fault of a scenario. `by` is how old a stale timestamp is, in milliseconds. */
  readonly fault?: { readonly kind: 'stale-timestamp' | 'bad-signature'; readonly by: number } | undefined
}

const wrongSecret = 'whsec_bm90IHRoZSBzZWNyZXQgb2YgYW55IHdlYmhvb2s='

/**
 * Creates the signed request of a message, with the headers of Standard Webhooks. After rotations it has a signature of
 * each secret that is still valid. @throws Error if the secret is not base64.
 */
export function toWebhookRequest(
  world: CoreWorld,
  webhook: Readonly<Webhook>,
  { id, payload, due, fault }: WebhookMessage,
): WebhookRequest {
  const choice = assumed(world, 'webhooks.timestamp')
  const sentAt = choice === 'due' ? due : world.clock.now()
  const shown = choice === 'real' ? systemNow() : sentAt
  const timestamp = Math.floor((fault?.kind === 'stale-timestamp' ? shown - fault.by : shown) / 1_000)
  const isSigned = assumed(world, 'webhooks.signature') === 'standard-webhooks'
  const secrets = fault?.kind === 'bad-signature' ? [wrongSecret] : secretsAt(webhook, sentAt)
  const signatures = isSigned ? secrets.map((secret) => signMessage(secret, id, timestamp, payload)) : undefined
  const headers = toWebhookHeaders(id, { timestamp, signature: signatures?.join(' ') ?? null })
  return { url: webhook.url, headers, body: payload }
}

export function toWebhookHeaders(
  id: string,
  { timestamp, signature }: NonNullable<Attempt['sent']>,
): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Greenhouse-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    ...(signature !== null && { 'webhook-signature': signature }),
  }
}

export function toSent({ headers }: WebhookRequest): NonNullable<Attempt['sent']> {
  return { timestamp: Number(headers['webhook-timestamp']), signature: headers['webhook-signature'] ?? null }
}

function secretsAt({ secret, former_secrets = [] }: Readonly<Webhook>, at: number): string[] {
  return [secret, ...former_secrets.filter(({ until }) => at < until).map((former) => former.secret)]
}

/**
 * Signs a message as Standard Webhooks does. The library `standardwebhooks` would bring a second SHA-256 and base64 into
 * pages, 5 kB gzipped. @param timestamp in seconds since 1970 @throws Error if the secret is not base64
 */
function signMessage(secret: string, id: string, timestamp: number, payload: string): string {
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
