import * as z from 'zod/mini'
import { toWebhookHeaders } from '../../areas/apps/webhooks/delivery/message.ts'
import { sendAgain } from '../../areas/apps/webhooks/delivery/engine.ts'
import { presentDelivery } from '../../areas/apps/webhooks/present.ts'
import { deliveries, type Delivery, deliveryStatuses, webhooks } from '../../areas/apps/webhooks/schemas.ts'
import { type EventType, eventTypes } from '../../areas/event-types.ts'
import { parseJson } from '../../core/http/json.ts'
import { toIso } from '../../core/time/time-text.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import type { World } from '../../api/world.ts'
import type { DeliveryReply } from '../../api/generated/wire-types.ts'
import { changing, type ChunksAnswer, defineRoutes, ok } from '../answer.ts'
import type { DeliverySummary, List, TriggeredDelivery } from '../answers.ts'
import { check, digits, invalid } from '../body.ts'
import { type Call, findRecord } from '../call.ts'
import { collectInTurns, toListChunks, waitFor } from '../turns.ts'

const deliveriesQuerySchema = z.strictObject({
  webhook: z.optional(z.string()),
  type: z.optional(z.enum(eventTypes)),
  status: z.optional(z.enum(deliveryStatuses)),
  limit: z.optional(digits),
})

async function showDeliveries(call: Call): Promise<ChunksAnswer<List<DeliverySummary>>> {
  const { world, greenhouse, query } = call
  const { webhook, type, status, limit = '100' } = check(greenhouse.catalogue.open(deliveriesQuerySchema), query)
  const live = world.core
  if (webhook !== undefined) findRecord('webhook', webhook, live.collection(webhooks), live)
  const stored = live.collection(deliveries)
  const all = webhook === undefined ? stored.all() : stored.childrenOf(webhook).oldest(Infinity)
  const isWanted = (delivery: Readonly<Delivery>) =>
    (type === undefined || delivery.type === type) && (status === undefined || delivery.status === status)
  const found = await collectInTurns(all.toReversed(), isWanted)
  return { chunks: toListChunks(found.slice(0, Number(limit)), (delivery) => showDelivery(live, world, delivery)) }
}

async function redeliverAndWait(world: World, call: Call): Promise<DeliverySummary> {
  const id = call.param('id')
  const live = world.core
  const delivery = findRecord('delivery', id, live.collection(deliveries), live)
  if (!live.collection(webhooks).get(delivery.webhook)?.enabled)
    throw invalid(
      `The webhook ${delivery.webhook} is disabled. Enable it first: PATCH …/records/webhooks/${delivery.webhook} with {"enabled": true}.`,
    )
  live.catchUp()
  const again = live.clock.during(() => {
    live.recordChange({ redeliver: id })
    return sendAgain(live, live.collection(deliveries), delivery, live.clock.now())
  })
  await waitFor(world.settled())
  return showDelivery(live, world, live.collection(deliveries).get(id) ?? again)
}

function showDelivery(live: LiveWorld, world: World, delivery: Readonly<Delivery>): DeliverySummary {
  const { id, account, webhook, event, type, status, attempts, next_attempt_at, payload, created_at } = delivery
  const url = live.collection(webhooks).get(webhook)?.url
  return {
    id,
    account,
    webhook,
    url: url === undefined ? null : world.redact(url),
    event,
    type,
    status,
    created_at: toIso(created_at),
    next_attempt_at: toIsoOrNull(next_attempt_at),
    attempts: attempts.map(({ at, status: answered, error, latency, response, fault = null, sent }, index) => ({
      at: toIso(at),
      status: answered,
      error,
      ms: latency,
      next_attempt_at: toIsoOrNull(attempts[index + 1]?.at ?? next_attempt_at),
      response: response === null ? null : world.redact(response),
      fault,
      headers: sent ? toWebhookHeaders(event, sent) : null,
    })),
    payload: readPayload(world.redact(payload)),
  }
}

function readPayload(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

function toIsoOrNull(at: number | null): string | null {
  return at === null ? null : toIso(at)
}

export const webhookRoutes = defineRoutes({
  'POST /worlds/{world}/events': changing('body', triggerEvent),
  'GET /worlds/{world}/webhooks/{id}/grade': (call) => ok(call.world.grade(findWebhook(call))),
  'POST /worlds/{world}/webhooks/{id}/grade': async (call) => ok(await call.world.examine(findWebhook(call))),
  'GET /worlds/{world}/deliveries': { reads: 'query', handle: showDeliveries },
  'GET /worlds/{world}/deliveries/{id}': (call) => {
    const live = call.world.core
    return ok(
      showDelivery(live, call.world, findRecord('delivery', call.param('id'), live.collection(deliveries), live)),
    )
  },
  'POST /worlds/{world}/deliveries/{id}/redeliver': changing(undefined, redeliverAndWait),
})

const eventSchema = z.strictObject({
  type: z.string(),
  data: z.optional(z.record(z.string(), z.unknown())),
  account: z.optional(z.string()),
  app_id: z.optional(z.string()),
})

async function triggerEvent(world: World, { body }: Call): Promise<List<TriggeredDelivery>> {
  const { type, data, account, app_id } = check(eventSchema, body)
  const made = await world.trigger(type as EventType, data, { account, app: app_id })
  await waitFor(world.settled())
  const { deliveries, webhooks } = world.records
  const shown = made.map((delivery) => {
    const now = deliveries.get(delivery.id)
    const url = webhooks.get(delivery.webhook_id)?.url
    const latest = now ? (presentDelivery(now) as DeliveryReply) : delivery
    return { ...latest, url: url === undefined ? null : world.redact(url) }
  })
  return { data: shown }
}

function findWebhook(call: Call): string {
  const { world } = call
  return findRecord('webhook', call.param('id'), world.records.webhooks, world).id
}
