import { toIso } from '../../../core/time/clock.ts'
import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { parseJson } from '../../../core/http/json.ts'
import type { Delivery } from './schemas/delivery.ts'
import type { Webhook } from './schemas/webhook.ts'

/** A webhook as replies carry it: without its secret. */
export function presentWebhook({ id, url, events, app, enabled, created_at, updated_at }: Readonly<Webhook>) {
  return { id, url, events, app_id: app, enabled, created_at: toIso(created_at), updated_at: toIso(updated_at) }
}

/**
 * What shows deliveries to the one who asks. A page of another origin that was let in may use the API, but it doesn't get to
 * read what services of this machine answer: it chooses the URLs.
 */
export function presenterFor({ request }: Exchange): typeof presentDelivery {
  return request.sender === 'guest' ? withoutAnswers : presentDelivery
}

function withoutAnswers(delivery: Readonly<Delivery>) {
  const shown = presentDelivery(delivery)
  return { ...shown, attempts: shown.attempts.map((attempt) => ({ ...attempt, response: null })) }
}

/** A delivery as replies carry it. */
export function presentDelivery({
  id,
  webhook,
  event,
  type,
  status,
  attempts,
  next_attempt_at,
  payload,
  created_at,
}: Readonly<Delivery>) {
  return {
    id,
    webhook_id: webhook,
    event_id: event,
    type,
    status,
    attempts: attempts.map(({ at, status, error, latency, response }) => ({
      at: toIso(at),
      status,
      error,
      latency_ms: latency,
      response,
    })),
    next_attempt_at: next_attempt_at === null ? null : toIso(next_attempt_at),
    payload: parseJson(payload),
    created_at: toIso(created_at),
  }
}
