import * as z from 'zod/mini'
import { defineCollection } from '../../../core/collection.ts'
import { eventTypes } from '../../../core/events.ts'
import { fixtureTime, toFixtureTimestamp } from '../../../core/fixture-time.ts'

/** A webhook as the store keeps it: times are in milliseconds since 1970. */
export const webhookRecordSchema = z.strictObject({
  id: z.string(),
  account: z.string(),
  /** The app whose events it is told of; `null` for all. */
  app: z.nullable(z.string()),
  url: z.string(),
  events: z.array(z.enum(eventTypes)),
  enabled: z.boolean(),
  /** `whsec_` and base64. */
  secret: z.string(),
  /** The secret before the last rotation, and until when it signs too. */
  former_secret: z.optional(z.strictObject({ secret: z.string(), until: z.number() })),
  created_at: z.number(),
  updated_at: z.number(),
})

export type Webhook = z.infer<typeof webhookRecordSchema>

export const webhooks = defineCollection({
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
    toRecord({ created_at, ...webhook }, now) {
      const at = toFixtureTimestamp(created_at, now)
      return { ...webhook, created_at: at, updated_at: at }
    },
  },
  key: (webhook) => webhook.id,
  owner: (webhook) => webhook.account,
})

/** One try to deliver an event. */
export const attemptSchema = z.strictObject({
  at: z.number(),
  status: z.nullable(z.number()),
  error: z.nullable(z.string()),
  /** How long the receiver took, in milliseconds of real time. */
  latency: z.number(),
  /** The beginning of what it answered. */
  response: z.nullable(z.string()),
})

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
  status: z.enum(['pending', 'succeeded', 'failed']),
  attempts: z.array(attemptSchema),
  next_attempt_at: z.nullable(z.number()),
  created_at: z.number(),
})

export type Delivery = z.infer<typeof deliveryRecordSchema>

export const deliveries = defineCollection({
  name: 'deliveries',
  schema: deliveryRecordSchema,
  key: (delivery) => delivery.id,
  owner: (delivery) => delivery.account,
  parent: (delivery) => delivery.webhook,
})
