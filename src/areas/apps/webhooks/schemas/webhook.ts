import * as z from 'zod/mini'
import { type CollectionDefinition, declareCollection } from '../../../../core/store/collection.ts'
import { fixtureTime, storedTime, toFixtureTimestamp } from '../../../../core/time/fixture-time.ts'
import type { CoreWorld } from '../../../../core/world/world.ts'
import { type EventType, eventTypes } from '../../../event-types.ts'

const url = z.string().check(
  z.maxLength(2_048),
  z.refine((text) => isWebUrl(text), 'expected an http or https URL without a user name and password'),
)

const events = z.array(z.enum(eventTypes)).check(z.minLength(1))

/** Fields that stored webhooks and replies share. */
const fields = {
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

/** A webhook, as replies carry it: without its secret, which only `webhooks.create` and `webhooks.rotate-secret` show. */
export const webhookSchema = z.object({
  ...fields,
  /** The only app whose events are sent; `null` for all apps. */
  app_id: z.nullable(z.string()),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

/** A webhook with its secret. Only replies that create a secret contain it. */
export const webhookWithSecretSchema = z.object({
  ...webhookSchema.shape,
  /** `whsec_` and base64: the key that signs deliveries. */
  secret: z.string(),
})

/** A test that `webhooks.test` sent. */
export const webhookTestSchema = z.object({ webhook_id: z.string(), message: z.string(), sent_at: z.iso.datetime() })

const webhookRecordSchema = z.strictObject({
  ...fields,
  account: z.string(),
  app: z.nullable(z.string()),
  secret: z.string(),
  former_secrets: z.optional(z.array(z.strictObject({ secret: z.string(), until: storedTime }))),
  created_at: storedTime,
  updated_at: storedTime,
})

/** A stored webhook: a subscription to events. */
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
  /** Former secrets, newest first. Each also signs deliveries until `until`, in milliseconds since 1970. */
  former_secrets?: { secret: string; until: number }[] | undefined
  /** In milliseconds since 1970. */
  created_at: number
  /** In milliseconds since 1970. */
  updated_at: number
}

export const webhooks: CollectionDefinition<Webhook> = declareCollection({
  name: 'webhooks',
  schema: webhookRecordSchema,
  fixture: {
    schema: z.extend(z.omit(webhookRecordSchema, { former_secrets: true, updated_at: true }), {
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

function isWebUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}

export function createSecret(world: CoreWorld): string {
  const random = world.random('webhook secret')
  return 'whsec_' + btoa(String.fromCharCode(...Array.from({ length: 24 }, () => Math.floor(random.next() * 256))))
}
