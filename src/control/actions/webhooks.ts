import * as z from 'zod/mini'
import { toWebhookHeaders } from '../../areas/apps/webhooks/delivery/message.ts'
import { sendAgain } from '../../areas/apps/webhooks/delivery/engine.ts'
import { presentDelivery } from '../../areas/apps/webhooks/present.ts'
import {
  deliveries,
  type Delivery,
  deliverySchema,
  deliveryStatuses,
  webhooks,
} from '../../areas/apps/webhooks/schemas.ts'
import { type EventType, eventTypes } from '../../areas/event-types.ts'
import { toFilter } from '../../core/contract/expected.ts'
import { hideBody, hideParameters } from '../../core/secrets/secrets.ts'
import { parseJsonOr } from '../../core/http/json.ts'
import { toIso, toIsoOrNull } from '../../core/time/time-text.ts'
import type { World } from '../../api/world.ts'
import type { DeliveryReply } from '../../api/generated/wire-types.ts'
import type { Grade } from '../../areas/apps/webhooks/report/check-receiver.ts'
import { defineAction, type Call, findRecord, waitFor, invalid } from '../call.ts'
import { limitFields, listOf, named, schemaOf, worldTime } from '../shapes.ts'
import { anyText, described } from '../../core/contract/zod.ts'

const shownAttempt = z.object({
  at: described(worldTime, 'When it was scheduled'),
  status: z.nullable(z.int()),
  error: z.nullable(anyText),
  ms: described(z.number(), 'How long the receiver took, in milliseconds of real time'),
  next_attempt_at: z.nullable(worldTime),
  response: z.nullable(anyText),
  fault: z.nullable(z.enum(['stale-timestamp', 'bad-signature'])),
  headers: z.nullable(z.record(anyText, anyText)),
})

export const shownDelivery = named('Delivery', {
  id: anyText,
  account: anyText,
  webhook: anyText,
  url: described(
    z.nullable(anyText),
    "The receiver's URL, without secrets; null if the webhook is gone",
  ),
  event: anyText,
  type: z.enum(eventTypes),
  status: described(z.enum(deliveryStatuses), 'lost: a scenario dropped it'),
  created_at: worldTime,
  next_attempt_at: z.nullable(worldTime),
  attempts: described(z.array(shownAttempt), 'The newest 100, the oldest first'),
  payload: z.unknown(),
})
export type DeliverySummary = z.infer<typeof shownDelivery>

export type TriggeredDelivery = DeliveryReply & { readonly url: string | null }
const triggeredDelivery = schemaOf<TriggeredDelivery>(
  z
    .extend(deliverySchema, { url: shownDelivery.shape.url })
    .check(z.meta({ id: 'TriggeredDelivery' })),
)

const result = z.enum(['passed', 'failed', 'unknown'])

const shownGrade = schemaOf<Grade>(
  named('Grade', {
    webhook_id: anyText,
    result,
    checks: z.array(
      z.object({
        name: anyText,
        result,
        why: anyText,
      }),
    ),
  }),
)

export const webhookActions = [
  defineAction('events.trigger', 'POST /worlds/{world}/events', {
    title: 'Trigger a webhook event',
    commands: { 'trigger <type>': 'Send a webhook event: message.sent' },
    whenEmpty: 'No enabled webhook subscribes to it. Create one with POST /v1/webhooks.',
    description:
      'Sends it to every webhook that subscribes to it, and answers when the deliveries were attempted. Without `data`, the data comes from the records of the world.',
    input: z.strictObject({
      type: anyText,
      data: z.optional(z.record(anyText, z.unknown())),
      account: z.optional(anyText),
      app_id: z.optional(anyText),
    }),
    output: listOf(triggeredDelivery),
    async run({ world }, { type, data, account, app_id }) {
      const made = await world.trigger(type as EventType, data, {
        account,
        app: app_id,
      })
      await waitFor(world.settled())
      const { deliveries, webhooks } = world.records
      const shown = made.map((delivery) => {
        const now = deliveries.get(delivery.id)
        const url = webhooks.get(delivery.webhook_id)?.url
        const latest = now ? (presentDelivery(now) as DeliveryReply) : delivery
        return {
          ...latest,
          url: url === undefined ? null : hideParameters(url, world.core.secretFinders()),
        }
      })
      return { data: shown }
    },
  }),
  defineAction('webhooks.grade', 'GET /worlds/{world}/webhooks/{id}/grade', {
    title: 'Grade a receiver',
    description: 'The grade comes from its responses so far. Nothing is sent.',
    output: shownGrade,
    run: (call) => call.world.grade(webhookIdOf(call)),
  }),
  defineAction('webhooks.examine', 'POST /worlds/{world}/webhooks/{id}/grade', {
    title: 'Examine a receiver',
    description: 'Sends it valid, duplicate, forged and stale requests, and grades its responses.',
    needsWorld: true,
    output: shownGrade,
    run: (call) => call.world.examine(webhookIdOf(call)),
  }),
  defineAction('deliveries.list', 'GET /worlds/{world}/deliveries', {
    title: 'List webhook deliveries',
    description: 'The newest first, with every attempt; 100 by default.',
    input: z.strictObject({
      webhook: z.optional(anyText),
      type: z.optional(z.enum(eventTypes)),
      status: z.optional(z.enum(deliveryStatuses)),
      ...limitFields,
    }),
    output: listOf(shownDelivery),
    run({ world }, { webhook, type, status, limit }) {
      const live = world.core
      if (webhook !== undefined) findRecord('webhook', webhook, live.collection(webhooks), live)
      const stored = live.collection(deliveries)
      const all = webhook === undefined ? stored.all() : stored.childrenOf(webhook).oldest()
      const found = all.toReversed().filter(toFilter({ type, status })).slice(0, limit)
      return { data: found.map((delivery) => showDelivery(world, delivery)) }
    },
  }),
  defineAction('deliveries.read', 'GET /worlds/{world}/deliveries/{id}', {
    title: 'Show a webhook delivery',
    description: 'With its payload and every attempt.',
    output: shownDelivery,
    run: (call) => showDelivery(call.world, findDelivery(call)),
  }),
  defineAction('deliveries.repeat', 'POST /worlds/{world}/deliveries/{id}/redeliver', {
    title: 'Deliver again',
    description: 'Sends the same event to the same webhook, and answers when it was attempted.',
    output: shownDelivery,
    async run(call) {
      const { world } = call
      const live = world.core
      const delivery = findDelivery(call)
      if (!live.collection(webhooks).get(delivery.webhook)?.enabled)
        throw invalid(
          `The webhook ${delivery.webhook} is disabled. Enable it first: PATCH …/records/webhooks/${delivery.webhook} with {"enabled": true}.`,
        )
      live.catchUp()
      const again = live.clock.during(() => {
        live.recordChange({ redeliver: delivery.id })
        return sendAgain(live, live.collection(deliveries), delivery, live.clock.now())
      })
      await waitFor(world.settled())
      return showDelivery(world, live.collection(deliveries).get(delivery.id) ?? again)
    },
  }),
] as const

function findDelivery(call: Call): Readonly<Delivery> {
  const live = call.world.core
  return findRecord('delivery', call.param('id'), live.collection(deliveries), live)
}

function webhookIdOf(call: Call): string {
  const { world } = call
  return findRecord('webhook', call.param('id'), world.records.webhooks, world).id
}

function showDelivery(world: World, delivery: Readonly<Delivery>): DeliverySummary {
  const {
    id,
    account,
    webhook,
    event,
    type,
    status,
    attempts,
    next_attempt_at,
    payload,
    created_at,
  } = delivery
  const url = world.core.collection(webhooks).get(webhook)?.url
  const finders = world.core.secretFinders()
  const shown = hideBody(payload, undefined, finders)
  return {
    id,
    account,
    webhook,
    url: url === undefined ? null : hideParameters(url, finders),
    event,
    type,
    status,
    created_at: toIso(created_at),
    next_attempt_at: toIsoOrNull(next_attempt_at),
    attempts: attempts.map(
      ({ at, status: answered, error, latency, response, fault = null, sent }, index) => ({
        at: toIso(at),
        status: answered,
        error,
        ms: latency,
        next_attempt_at: toIsoOrNull(attempts[index + 1]?.at ?? next_attempt_at),
        response: response === null ? null : hideBody(response, undefined, finders),
        fault,
        headers: sent ? toWebhookHeaders(event, sent) : null,
      }),
    ),
    payload: parseJsonOr(shown, shown),
  }
}
