import { ApiError } from '../../../core/contract/errors.ts'
import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { findAccountRecord } from '../apps/lookup.ts'
import { deliveries, type Delivery, type Webhook, webhooks } from './schemas.ts'

export function findWebhook(exchange: Exchange, params: Readonly<Record<string, string>>): Readonly<Webhook> {
  return findAccountRecord(exchange, webhooks, params['webhook_id']!, 'webhook')
}

export function findDelivery(
  exchange: Exchange,
  params: Readonly<Record<string, string>>,
): { webhook: Readonly<Webhook>; delivery: Readonly<Delivery> } {
  const webhook = findWebhook(exchange, params)
  const parent = { noun: 'webhook', id: webhook.id }
  return { webhook, delivery: findAccountRecord(exchange, deliveries, params['delivery_id']!, 'delivery', parent) }
}

export function assertEnabled({ enabled }: Readonly<Webhook>): void {
  if (!enabled)
    throw new ApiError('invalid_request', 'The webhook is disabled. Enable it first: PATCH it with {"enabled": true}.')
}
