import * as z from 'zod/mini'
import { defineCollection, type CollectionDefinition } from '../../../core/store/collection.ts'
import { deliveryFaults, type DeliveryFault } from '../../../core/world/layer.ts'
import { eventTypes, type EventType } from '../../../core/definitions/events.ts'
import { fixtureTime, storedTime, toFixtureTimestamp } from '../../../core/time/fixture-time.ts'
import { toFixtureData, toPayload } from './payload.ts'

const url = z.string().check(
  z.maxLength(2_048),
  z.refine((text) => isWebUrl(text), 'expected an http or https URL without a user name and password'),
)

const events = z.array(z.enum(eventTypes)).check(z.minLength(1))

/** What creates a webhook. Without `events` it is told of all of them, without `app_id` of all apps. */
export const newWebhookSchema = z.object({
  url,
  events: z.optional(events),
  app_id: z.optional(z.nullable(z.string())),
  enabled: z.optional(z.boolean()),
})

/** What changes a webhook. */
export const webhookChangesSchema = z.object({
  url: z.optional(url),
  events: z.optional(events),
  app_id: z.optional(z.nullable(z.string())),
  enabled: z.optional(z.boolean()),
})

/** A webhook as replies show it. */
export const webhookSchema = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum(eventTypes)),
  app_id: z.nullable(z.string()),
  enabled: z.boolean(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

/** The same with the secret, which is shown when it is made and never again. */
export const webhookWithSecretSchema = z.object({ ...webhookSchema.shape, secret: z.string() })

/** A webhook as the store keeps it: times are in milliseconds since 1970. */
export const webhookRecordSchema = z.strictObject({
  id: z.string(),
  account: z.string(),
  /** The only app whose events are sent; `null` for all apps. */
  app: z.nullable(z.string()),
  url: z.string(),
  events: z.array(z.enum(eventTypes)),
  enabled: z.boolean(),
  /** `whsec_` and base64. */
  secret: z.string(),
  /** The secrets before the last rotations, the newest first, and until when each signs too. */
  former_secrets: z.optional(z.array(z.strictObject({ secret: z.string(), until: storedTime }))),
  created_at: storedTime,
  updated_at: storedTime,
})

/** A subscription to events as the store keeps it. */
export interface Webhook {
  /** `wh_` and 16 characters. */
  id: string
  /** The account's id. */
  account: string
  /** The only app whose events are sent; `null` for all apps. */
  app: string | null
  url: string
  events: EventType[]
  enabled: boolean
  /** `whsec_` and base64. */
  secret: string
  /** The secrets before the last rotations, the newest first. Each signs too until `until`, in milliseconds since 1970. */
  former_secrets?: { secret: string; until: number }[] | undefined
  /** In milliseconds since 1970. */
  created_at: number
  /** In milliseconds since 1970. */
  updated_at: number
}

export const webhooks: CollectionDefinition<Webhook> = defineCollection({
  name: 'webhooks',
  schema: webhookRecordSchema,
  fixture: {
    schema: z.strictObject({
      id: z.string(),
      account: z.string(),
      app: z.nullable(z.string()),
      url: z.string(),
      events: z.array(z.enum(eventTypes)),
      enabled: z.boolean(),
      secret: z.string(),
      created_at: fixtureTime,
    }),
    toRecord({ created_at, ...webhook }, now): Webhook {
      const at = toFixtureTimestamp(created_at, now)
      return { ...webhook, created_at: at, updated_at: at }
    },
  },
  key: (webhook) => webhook.id,
  owner: (webhook) => webhook.account,
  secrets: ({ secret, former_secrets = [] }) => [secret, ...former_secrets.map((former) => former.secret)],
  refers: { app: 'apps' },
})

/** One attempt to deliver an event. */
export const attemptSchema = z.strictObject({
  at: storedTime,
  status: z.nullable(z.number()),
  error: z.nullable(z.string()),
  /** How long the receiver took, in milliseconds of real time. */
  latency: z.number(),
  /** The beginning of the receiver's answer. */
  response: z.nullable(z.string()),
  /** The fault that a scenario added. */
  fault: z.optional(z.enum(['stale-timestamp', 'bad-signature'])),
})

/** One attempt to deliver an event. */
export interface Attempt {
  /** When it was due, in milliseconds since 1970. */
  at: number
  /** The status that the receiver answered; `null` when no answer came. */
  status: number | null
  /** Why no answer came. */
  error: string | null
  /** How long the receiver took, in milliseconds of real time. */
  latency: number
  /** The beginning of the receiver's answer. */
  response: string | null
  /** The fault that a scenario added. */
  fault?: 'stale-timestamp' | 'bad-signature' | undefined
}

const faultSchema = z.strictObject({ kind: z.enum(deliveryFaults), by: z.number() })

/** How a delivery stands. */
export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'lost'] as const

/** A delivery as the store keeps it: one event on its way to one webhook. */
export const deliveryRecordSchema = z.strictObject({
  id: z.string(),
  account: z.string(),
  webhook: z.string(),
  /** The event's id, the same at every attempt and redelivery. */
  event: z.string(),
  type: z.enum(eventTypes),
  /** The JSON text that is sent. */
  payload: z.string(),
  status: z.enum(deliveryStatuses),
  attempts: z.array(attemptSchema),
  /** How many attempts were made since the retry schedule began. A redelivery starts it anew. */
  tries: z.number(),
  /** How many redeliveries wait for the attempt that is due or under way. */
  redeliveries: z.optional(z.number()),
  /** The faults that scenarios add. */
  faults: z.optional(z.array(faultSchema)),
  next_attempt_at: z.nullable(z.number()),
  created_at: storedTime,
})

/** One event on its way to one webhook, as the store keeps it. */
export interface Delivery {
  /** `del_` and 16 characters. */
  id: string
  /** The account's id. */
  account: string
  /** The webhook's id. */
  webhook: string
  /** The event's id, the same at every attempt and redelivery. */
  event: string
  type: EventType
  /** The JSON text that is sent. */
  payload: string
  status: (typeof deliveryStatuses)[number]
  /** The newest 100. */
  attempts: Attempt[]
  /** How many attempts were made since the retry schedule began. A redelivery starts it anew. */
  tries: number
  /** How many redeliveries wait for the attempt that is due or under way. */
  redeliveries?: number | undefined
  /** The faults that scenarios add. */
  faults?: DeliveryFault[] | undefined
  /** When the next attempt is due, in milliseconds since 1970; `null` when there is none. */
  next_attempt_at: number | null
  /** In milliseconds since 1970. */
  created_at: number
}

/** A delivery as replies show it. */
export const deliverySchema = z.object({
  id: z.string(),
  webhook_id: z.string(),
  /** The same for every attempt, redelivery and duplicate: the header webhook-id. */
  event_id: z.string(),
  type: z.enum(eventTypes),
  status: z.enum(deliveryStatuses),
  attempts: z.array(
    z.object({
      at: z.iso.datetime(),
      status: z.nullable(z.int()),
      error: z.nullable(z.string()),
      latency_ms: z.number(),
      response: z.nullable(z.string()),
    }),
  ),
  next_attempt_at: z.nullable(z.iso.datetime()),
  payload: z.object({ type: z.enum(eventTypes), timestamp: z.iso.datetime(), data: z.record(z.string(), z.unknown()) }),
  created_at: z.iso.datetime(),
})

export const deliveries: CollectionDefinition<Delivery> = defineCollection({
  name: 'deliveries',
  schema: deliveryRecordSchema,
  fixture: {
    schema: z
      .strictObject({
        id: z.string(),
        account: z.string(),
        webhook: z.string(),
        event: z.string(),
        type: z.enum(eventTypes),
        data: z.record(z.string(), z.unknown()),
        status: z.enum(deliveryStatuses),
        attempts: z.array(
          z.strictObject({
            at: fixtureTime,
            status: z.optional(z.nullable(z.int())),
            error: z.optional(z.nullable(z.string())),
            latency: z.optional(z.number()),
            response: z.optional(z.nullable(z.string())),
          }),
        ),
        next_attempt_at: z.optional(fixtureTime),
        created_at: fixtureTime,
      })
      .check(
        z.refine(({ status, next_attempt_at }) => (status === 'pending') === (next_attempt_at !== undefined), {
          error:
            'Invalid time: a delivery with the status "pending", and no other, says when it is attempted next, such as "in 30m"',
          path: ['next_attempt_at'],
        }),
      ),
    toRecord({ data, attempts, next_attempt_at, created_at, ...delivery }, now): Delivery {
      const at = toFixtureTimestamp(created_at, now)
      return {
        ...delivery,
        payload: toPayload({ type: delivery.type, at, data: toFixtureData(data, now) as Record<string, unknown> }),
        attempts: attempts.map(({ at, status = null, error = null, latency = 0, response = null }) => ({
          at: toFixtureTimestamp(at, now),
          status,
          error,
          latency,
          response,
        })),
        tries: attempts.length,
        next_attempt_at: next_attempt_at === undefined ? null : toFixtureTimestamp(next_attempt_at, now),
        created_at: at,
      }
    },
  },
  key: (delivery) => delivery.id,
  owner: (delivery) => delivery.account,
  parent: (delivery) => delivery.webhook,
  refers: { webhook: 'webhooks' },
})

function isWebUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}
