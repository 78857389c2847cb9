import * as z from 'zod/mini'
import { type CollectionDefinition, declareCollection } from '../../../core/store/collection.ts'
import { dueTime, storedTime } from '../../../core/time/fixture-time.ts'
import { deliveryFaults } from '../../../core/world/effective-settings.ts'
import type { LiveWorld } from '../../../core/world/live-world.ts'
import { eventTypes } from '../../event-types.ts'
import { toFixtureData, toFixtureDataFromPayload, toPayload } from './delivery/payload.ts'
import type { Attempt, Delivery, Webhook } from '../../generated/records.ts'

export type { Attempt, Delivery, Webhook }

/** One attempt to deliver an event. */
export const attemptSchema = z.strictObject({
  /** When it was scheduled. */
  at: storedTime,
  /** The status of the receiver's response; `null` when none came. */
  status: z.nullable(z.number()),
  /**
   * Why no response came, or that the response was a redirect, which is not followed; otherwise
   * `null`.
   */
  error: z.nullable(z.string()),
  /** How long the receiver took, in milliseconds of real time. */
  latency: z.number(),
  /** The beginning of the receiver's response body. */
  response: z.nullable(z.string()),
  /** The fault that a scenario added. */
  fault: z.optional(z.enum(['stale-timestamp', 'bad-signature'])),
  /**
   * The headers that were sent: `webhook-timestamp`, in seconds since 1970, and
   * `webhook-signature`, or `null` without one. Absent when no request was made.
   */
  sent: z.optional(
    z.strictObject({
      timestamp: z.number(),
      signature: z.nullable(z.string()),
    }),
  ),
})

/** Returns whether the receiver accepted the event. */
export function hasAccepted({ status }: { readonly status: number | null }): boolean {
  return status !== null && status >= 200 && status < 300
}

/** One attempt to deliver an event, as replies carry it. */
export const shownAttemptSchema = z.object({
  at: z.iso.datetime(),
  /** The status of the receiver's response; `null` when none came. */
  status: z.nullable(z.int()),
  /** Why no response came. */
  error: z.nullable(z.string()),
  /** How long the receiver took, in milliseconds of real time. */
  latency_ms: z.number(),
  /** The beginning of the receiver's response body. */
  response: z.nullable(z.string()),
})

const writtenAttemptSchema = z.extend(attemptSchema, {
  status: z._default(attemptSchema.shape.status, null),
  error: z._default(attemptSchema.shape.error, null),
  latency: z._default(attemptSchema.shape.latency, 0),
  response: z._default(attemptSchema.shape.response, null),
})

const faultSchema = z.strictObject({
  kind: z.enum(deliveryFaults),
  by: z.number(),
})

export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'lost'] as const

/** Fields that stored deliveries, replies and fixtures share. */
const fields = {
  /** `del_` and 16 characters. */
  id: z.string(),
  type: z.enum(eventTypes),
  /** `lost`: a scenario dropped it. */
  status: z.enum(deliveryStatuses),
}

/** Fields that stored deliveries and fixtures share. */
const storedFields = {
  account: z.string(),
  webhook: z.string(),
  /** The event's id, the same at every attempt and redelivery. */
  event: z.string(),
}

/** A stored delivery of one event to one webhook. */
const deliveryRecordSchema = z.strictObject({
  ...fields,
  ...storedFields,
  /** The JSON text that is sent. */
  payload: z.string(),
  /** At most the newest 100. */
  attempts: z.array(attemptSchema),
  /** The number of attempts since the retry schedule began. A redelivery restarts the schedule. */
  tries: z.number(),
  /** The number of redeliveries that wait until the due or running attempt is done. */
  redeliveries: z.optional(z.number()),
  /** The faults that scenarios add. */
  faults: z.optional(z.array(faultSchema)),
  /** When the next attempt is due; `null` when there is none. */
  next_attempt_at: z.nullable(dueTime),
  created_at: storedTime,
})

/** One event on its way to one webhook, as replies carry it. `world.trigger` returns these too. */
export const deliverySchema = z.object({
  ...fields,
  webhook_id: z.string(),
  /** The same for every attempt, redelivery and duplicate: the header `webhook-id`. */
  event_id: z.string(),
  /** The newest 100. */
  attempts: z.array(shownAttemptSchema),
  /** `null` when there is no further attempt. */
  next_attempt_at: z.nullable(z.iso.datetime()),
  /** The body of the request to the receiver. */
  payload: z.object({
    type: z.enum(eventTypes),
    timestamp: z.iso.datetime(),
    data: z.record(z.string(), z.unknown()),
  }),
  created_at: z.iso.datetime(),
})

export const deliveries: CollectionDefinition<Delivery> = declareCollection({
  name: 'deliveries',
  schema: deliveryRecordSchema,
  fixture: {
    fields: {
      data: z.optional(z.record(z.string(), z.unknown())),
      payload: z.optional(z.string()),
      attempts: z.array(writtenAttemptSchema),
      tries: z.optional(z.number()),
      next_attempt_at: z.optional(z.nullable(dueTime)),
    },
    derive: ({ type, data, attempts, created_at }, now) => ({
      payload:
        data &&
        toPayload({
          type,
          at: created_at,
          data: toFixtureData(data, now),
        }),
      tries: attempts.length,
      next_attempt_at: null,
    }),
    fromRecord({ type, payload, created_at: at }, now) {
      const data = toFixtureDataFromPayload(payload, now)
      if (
        !data ||
        toPayload({
          type,
          at,
          data: toFixtureData(data, now),
        }) !== payload
      )
        return {}
      return { data }
    },
    findMistake({ data, payload, status, next_attempt_at = null, tries }) {
      if (data === undefined && payload === undefined)
        return ['data', 'is missing: expected an object']
      // With all fields, a record was edited to anything.
      if (tries !== undefined) return undefined
      if ((status === 'pending') === (next_attempt_at !== null)) return undefined
      return [
        'next_attempt_at',
        'Invalid time: expected a time such as "in 30m" with the status "pending", and none with other statuses',
      ]
    },
  },
  key: (delivery) => delivery.id,
  owner: (delivery) => delivery.account,
  parent: (delivery) => delivery.webhook,
  refers: { webhook: 'webhooks' },
})

const url = z.string().check(
  z.maxLength(2_048),
  z.refine(
    (text) => isWebUrl(text),
    'expected an http or https URL without a user name and password',
  ),
)

const events = z.array(z.enum(eventTypes)).check(z.minLength(1))

/** Fields that stored webhooks and replies share. */
const webhookFields = {
  /** `wh_` and 16 characters. */
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum(eventTypes)),
  enabled: z.boolean(),
}

/** The body of `POST /v1/webhooks`. By default the webhook gets all events of all apps. */
export const newWebhookSchema = z.object({
  /** `http` or `https`, at most 2,048 characters. */
  url,
  events: z.optional(events),
  app_id: z.optional(z.nullable(z.string())),
  enabled: z.optional(z.boolean()),
})

/** The body of `PATCH /v1/webhooks/{webhook_id}`. Absent fields stay as they are. */
export const webhookChangesSchema = z.extend(newWebhookSchema, { url: z.optional(url) })

/**
 * A webhook, as replies carry it: without its secret, which only `webhooks.create` and
 * `webhooks.rotate-secret` show.
 */
export const webhookSchema = z.object({
  ...webhookFields,
  /** The only app whose events are sent; `null` for all apps. */
  app_id: z.nullable(z.string()),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

/** `whsec_` and base64, with or without its padding: the key that signs deliveries. */
function isWebhookSecret(text: string): boolean {
  const [, base64 = '', padding = ''] = /^whsec_([A-Za-z0-9+/]+)(={0,2})$/.exec(text) ?? []
  if (base64 === '' || base64.length % 4 === 1) return false
  return padding === '' || (base64.length + padding.length) % 4 === 0
}

const secret = z.string().check(
  // No pattern of its JSON Schema, because records are shown with a fingerprint.
  z.refine(isWebhookSecret, 'expected "whsec_" and base64, such as whsec_Z3JlZW5ob3VzZQ=='),
)

/** A webhook with its secret. Only replies that create a secret contain it. */
export const webhookWithSecretSchema = z.object({
  ...webhookSchema.shape,
  /** `whsec_` and base64: the key that signs deliveries. */
  secret,
})

/** A test that `webhooks.test` sent. */
export const webhookTestSchema = z.object({
  webhook_id: z.string(),
  message: z.string(),
  sent_at: z.iso.datetime(),
})

/** A stored webhook: a subscription to events. */
const webhookRecordSchema = z.strictObject({
  ...webhookFields,
  account: z.string(),
  /** The only app whose events are sent; `null` for all apps. */
  app: z.nullable(z.string()),
  /** `whsec_` and base64. */
  secret,
  /**
   * Former secrets, newest first. Each also signs deliveries until `until`, in milliseconds since
   * 1970.
   */
  former_secrets: z.optional(
    z.array(
      z.strictObject({
        secret,
        until: storedTime,
      }),
    ),
  ),
  created_at: storedTime,
  updated_at: storedTime,
})

export const webhooks: CollectionDefinition<Webhook> = declareCollection({
  name: 'webhooks',
  schema: webhookRecordSchema,
  fixture: {
    fields: { updated_at: z.optional(storedTime) },
    derive: ({ created_at }) => ({ updated_at: created_at }),
  },
  key: (webhook) => webhook.id,
  owner: (webhook) => webhook.account,
  secrets: ({ secret, former_secrets = [] }) => [
    secret,
    ...former_secrets.map((former) => former.secret),
  ],
  refers: { app: 'apps' },
})

function isWebUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}

export function createSecret(world: LiveWorld): string {
  const random = world.random('webhook secret')
  return (
    'whsec_' +
    btoa(String.fromCharCode(...Array.from({ length: 24 }, () => Math.floor(random.next() * 256))))
  )
}
