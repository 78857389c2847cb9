import * as z from 'zod/mini'
import { defineCollection, type CollectionDefinition } from '../../../../core/store/collection.ts'
import { fixtureTime, storedTime, toFixtureTimestamp } from '../../../../core/time/fixture-time.ts'
import { eventTypes, type EventType } from '../../../event-types.ts'

const url = z.string().check(
  z.maxLength(2_048),
  z.refine((text) => isWebUrl(text), 'expected an http or https URL without a user name and password'),
)

const events = z.array(z.enum(eventTypes)).check(z.minLength(1))

/** Fields that stored webhooks and replies share. */
const fields = { id: z.string(), url: z.string(), events: z.array(z.enum(eventTypes)), enabled: z.boolean() }

/** The body that creates a webhook: by default for all events of all apps. */
export const newWebhookSchema = z.object({
  url,
  events: z.optional(events),
  app_id: z.optional(z.nullable(z.string())),
  enabled: z.optional(z.boolean()),
})

/** The body that changes a webhook. */
export const webhookChangesSchema = z.extend(newWebhookSchema, { url: z.optional(url) })

/** A webhook in replies. */
export const webhookSchema = z.object({
  ...fields,
  app_id: z.nullable(z.string()),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

/** A webhook with its secret, which only the replies of its creation and of a rotation contain. */
export const webhookWithSecretSchema = z.object({ ...webhookSchema.shape, secret: z.string() })

/** The data of `webhook.test`. */
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

export const webhooks: CollectionDefinition<Webhook> = defineCollection({
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
