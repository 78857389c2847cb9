import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { assumptionValue } from '../../../../core/contract/assumptions.ts'
import { fromBase64 } from '../../../../core/http/reply.ts'
import {
  TransportClosedError,
  type WebhookRequest,
} from '../../../../core/http/webhook-transport.ts'
import { after, monotonicNow, systemNow } from '../../../../core/time/clock.ts'
import type { LiveWorld } from '../../../../core/world/live-world.ts'
import { timeoutOf } from '../assumptions.ts'
import type { Attempt, Webhook } from '../schemas.ts'
import type { AttemptRun } from './queue.ts'

export interface WebhookMessage {
  readonly id: string
  readonly payload: string
  /** When it was due, in milliseconds since 1970 on the world's clock. */
  readonly due: number
  /** The fault of a scenario. `by` is how old a stale timestamp is, in milliseconds. */
  readonly fault?: {
    readonly kind: 'stale-timestamp' | 'bad-signature'
    readonly by: number
  }
}

const wrongSecret = 'whsec_bm90IHRoZSBzZWNyZXQgb2YgYW55IHdlYmhvb2s='

/**
 * With the headers of Standard Webhooks. After rotations it has a signature of each secret that is
 * still valid.
 */
export function toWebhookRequest(
  world: LiveWorld,
  webhook: Readonly<Webhook>,
  { id, payload, due, fault }: WebhookMessage,
): WebhookRequest {
  const choice = assumptionValue(world.effectiveSettings, 'webhooks.timestamp')
  const sentAt = choice === 'due' ? due : world.clock.now()
  const shown = choice === 'real' ? systemNow() : sentAt
  const timestamp = Math.floor(
    (fault?.kind === 'stale-timestamp' ? shown - fault.by : shown) / 1_000,
  )
  const isSigned =
    assumptionValue(world.effectiveSettings, 'webhooks.signature') === 'standard-webhooks'
  const secrets = fault?.kind === 'bad-signature' ? [wrongSecret] : secretsAt(webhook, sentAt)
  const signature = isSigned
    ? secrets.map((secret) => signMessage(secret, id, timestamp, payload)).join(' ')
    : null
  return {
    url: webhook.url,
    headers: toWebhookHeaders(id, { timestamp, signature }),
    body: payload,
  }
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

function toSent({ headers }: WebhookRequest): NonNullable<Attempt['sent']> {
  return {
    timestamp: Number(headers['webhook-timestamp']),
    signature: headers['webhook-signature'] ?? null,
  }
}

function secretsAt({ secret, former_secrets = [] }: Readonly<Webhook>, at: number): string[] {
  return [
    secret,
    ...former_secrets.filter(({ until }) => at < until).map((former) => former.secret),
  ]
}

/**
 * Not with the library `standardwebhooks`, which would bring a second SHA-256 and base64 into
 * pages, 5 kB gzipped.
 */
function signMessage(secret: string, id: string, timestamp: number, payload: string): string {
  const digest = hmac(
    sha256,
    fromBase64(secret.slice('whsec_'.length)),
    utf8ToBytes(`${id}.${timestamp}.${payload}`),
  )
  return `v1,${btoa(String.fromCharCode(...digest))}`
}

export const timeoutErrorPrefix = 'No answer within '

/** What came of an attempt. */
export interface AttemptResult {
  readonly outcome: {
    readonly status: Attempt['status']
    readonly error: Attempt['error']
    readonly latency: number
    readonly response: Attempt['response']
  }
  /** The time and the signature that were sent; absent if it came to no request. */
  readonly sent: Attempt['sent']
  /** True if another attempt is pointless. */
  readonly isLast: boolean
}

/**
 * Sends a message. Never rejects. The timeout is real time, whatever the world's clock does.
 * @param run stops the request.
 */
export async function sendAttempt(
  world: LiveWorld,
  makeRequest: () => WebhookRequest,
  run: AttemptRun,
): Promise<AttemptResult> {
  const startedAt = monotonicNow()
  const timeout = timeoutOf(world)
  const controller = new AbortController()
  run.onStop = () => controller.abort(run.stopped)
  const stopTimer = after(timeout, () =>
    controller.abort(new Error(`${timeoutErrorPrefix}${timeout / 1_000} s.`)),
  )
  let sent: Attempt['sent']
  try {
    if (run.stopped) throw run.stopped
    const request = makeRequest()
    sent = toSent(request)
    const {
      status,
      body,
      latency = since(startedAt),
    } = await world.transport.send(request, controller.signal)
    const error =
      status >= 300 && status < 400
        ? 'The receiver answered with a redirect, which is not followed.'
        : null
    const outcome = {
      status,
      error,
      latency,
      response: body,
    }
    return {
      outcome,
      sent,
      isLast: false,
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const latency = (error as { latency?: number } | undefined)?.latency ?? since(startedAt)
    const outcome = {
      status: null,
      error: message,
      latency,
      response: null,
    }
    // Another attempt is pointless without a transport.
    return {
      outcome,
      sent,
      isLast: error instanceof TransportClosedError,
    }
  } finally {
    delete run.onStop
    stopTimer()
  }
}

function since(startedAt: number): number {
  return Math.round((monotonicNow() - startedAt) * 10) / 10
}
