import { toIso, toIsoOrNull } from '../../../core/time/time-text.ts'
import type { AuthenticatedExchange } from '../../../core/pipeline/operation.ts'
import { parseJson } from '../../../core/http/json.ts'
import type { Kind } from '../declare.ts'
import {
  deliveries,
  type Delivery,
  deliverySchema,
  type Webhook,
  webhooks,
  webhookSchema,
} from './schemas.ts'

export function presentWebhook({
  id,
  url,
  events,
  app,
  enabled,
  created_at,
  updated_at,
}: Readonly<Webhook>) {
  return {
    id,
    url,
    events,
    app_id: app,
    enabled,
    created_at: toIso(created_at),
    updated_at: toIso(updated_at),
  }
}

/**
 * An allowed page of another origin must not read what services of this machine answer: it chooses
 * the URLs.
 */
export function presenterFor({ request }: AuthenticatedExchange): typeof presentDelivery {
  if (request.sender === 'allowedOrigin') return withoutAnswers
  return presentDelivery
}

function withoutAnswers(delivery: Readonly<Delivery>) {
  const shown = presentDelivery(delivery)
  return {
    ...shown,
    attempts: shown.attempts.map((attempt) => ({
      ...attempt,
      response: null,
    })),
  }
}

export function presentDelivery(delivery: Readonly<Delivery>) {
  return {
    id: delivery.id,
    webhook_id: delivery.webhook,
    event_id: delivery.event,
    type: delivery.type,
    status: delivery.status,
    attempts: delivery.attempts.map(({ at, status, error, latency, response }) => ({
      at: toIso(at),
      status,
      error,
      latency_ms: latency,
      response,
    })),
    next_attempt_at: toIsoOrNull(delivery.next_attempt_at),
    payload: parseJson(delivery.payload),
    created_at: toIso(delivery.created_at),
  }
}

export const webhookKind: Kind<Webhook> = {
  noun: 'webhook',
  collection: webhooks,
  schema: webhookSchema,
  present: presentWebhook,
}

export const deliveryKind: Kind<Delivery> = {
  noun: 'delivery',
  collection: deliveries,
  parent: webhookKind,
  schema: deliverySchema,
  present: presentDelivery,
  presenterFor,
}
