import { explainAbsence } from '../../../core/pipeline/absence.ts'
import { ApiError } from '../../../core/definitions/errors.ts'
import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { deliveries, type Delivery } from './schemas/delivery.ts'
import { webhooks, type Webhook } from './schemas/webhook.ts'
import { quote } from '../../../core/definitions/quote.ts'

/** Returns the caller's webhook in a path. @throws ApiError 404 if it does not exist or belongs to another account. */
export function ownWebhook(exchange: Exchange, params: Readonly<Record<string, string>>): Readonly<Webhook> {
  const id = params['webhook_id']!
  const webhook = exchange.collection(webhooks).get(id)
  if (webhook?.account === exchange.caller!.account.id) return webhook
  throw new ApiError('not_found', `There is no webhook with the id ${quote(id)}.`).because(
    explainAbsence(exchange, webhooks, id),
  )
}

/** Returns the caller's delivery in a path, with its webhook. @throws ApiError 404 if one does not exist or is not the caller's. */
export function ownDelivery(
  exchange: Exchange,
  params: Readonly<Record<string, string>>,
): { webhook: Readonly<Webhook>; delivery: Readonly<Delivery> } {
  const webhook = ownWebhook(exchange, params)
  const id = params['delivery_id']!
  const delivery = exchange.collection(deliveries).get(id)
  if (delivery?.webhook === webhook.id) return { webhook, delivery }
  throw new ApiError('not_found', `The webhook has no delivery with the id ${quote(id)}.`).because(
    explainAbsence(exchange, deliveries, id, webhook.id),
  )
}

/** @throws ApiError 400 if the webhook is disabled. */
export function assertEnabled({ enabled }: Readonly<Webhook>): void {
  if (!enabled)
    throw new ApiError('invalid_request', 'The webhook is disabled. Enable it first: PATCH it with {"enabled": true}.')
}
