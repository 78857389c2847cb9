import { eventTypes } from '../../../event-types.ts'
import { ApiError } from '../../../../core/contract/errors.ts'
import { declareCreate, insertRecord } from '../../declare.ts'
import { namedApp } from '../checks.ts'
import { presentWebhook, webhookKind } from '../present.ts'
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
    if (exchange.collection(webhooks).ownedBy(exchange.caller!.account.id).size >= max)
      throw new ApiError('invalid_request', `The account has ${max} webhooks already.`)
    const webhook = insertRecord(exchange, webhookKind, {
      app: namedApp(exchange, app_id),
      url,
      events: [...new Set(events)],
      enabled,
      secret: createSecret(exchange.world),
      updated_at: exchange.now,
    })
    return { ...presentWebhook(webhook), secret: webhook.secret }
  },
})
