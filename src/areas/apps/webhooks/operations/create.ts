import { eventTypes } from '../../../event-types.ts'
import { ApiError } from '../../../../core/contract/errors.ts'
import { newId } from '../../../../core/time/random.ts'
import { namedApp } from '../../apps/lookup.ts'
import { declareCreate } from '../../declare.ts'
import { presentWebhook } from '../present.ts'
import { createSecret, newWebhookSchema, webhooks, webhookWithSecretSchema } from '../schemas.ts'

/** The most webhooks that an account can create: an event goes to all of them in one turn of the event loop. */
const max = 1_000

/** Subscribes a URL to events. Only the replies of this operation and of a rotation contain the secret. */
export const createWebhook = declareCreate({
  id: 'webhooks.create',
  path: '/webhooks',
  title: 'Create a webhook',
  scope: 'webhooks:write',
  body: newWebhookSchema,
  example: { url: 'http://127.0.0.1:3000/hooks', events: ['app.created', 'message.sent'] },
  result: webhookWithSecretSchema,
  create(exchange, { body }) {
    const { url, events = eventTypes, app_id = null, enabled = true } = body
    const { world, now } = exchange
    const stored = exchange.collection(webhooks)
    const account = exchange.caller!.account.id
    if (stored.ownedBy(account).size >= max)
      throw new ApiError('invalid_request', `The account has ${max} webhooks already.`)
    const webhook = stored.insert({
      id: newId(stored, world.random('webhook'), 'wh'),
      account,
      app: namedApp(exchange, app_id),
      url,
      events: [...new Set(events)],
      enabled,
      secret: createSecret(world),
      created_at: now,
      updated_at: now,
    })
    return { ...presentWebhook(webhook), secret: webhook.secret }
  },
})
