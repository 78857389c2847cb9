import { eventTypes } from '../../../event-types.ts'
import { ApiError } from '../../../../core/definitions/errors.ts'
import { created } from '../../statuses.ts'
import { defineOperation } from '../../../../core/pipeline/operation.ts'
import { newId } from '../../../../core/store/new-id.ts'
import type { Records } from '../../../../core/store/records.ts'
import { namedApp } from '../../apps/lookup.ts'
import { appAssumptions } from '../../assumptions.ts'
import { presentWebhook } from '../present.ts'
import { newWebhookSchema, webhooks, webhookWithSecretSchema, type Webhook } from '../schemas/webhook.ts'
import { createSecret } from '../secret.ts'

/** How many webhooks an account can create: an event goes to all of them in one turn. */
const most = 1_000

/** Subscribes a URL to events; the reply is the only one, besides that of a rotation, that shows the secret. */
export const createWebhook = defineOperation({
  id: 'webhooks.create',
  method: 'POST',
  path: '/webhooks',
  title: 'Create a webhook',
  source: 'ours',
  scope: 'webhooks:write',
  body: newWebhookSchema,
  example: { url: 'http://127.0.0.1:3000/hooks', events: ['app.created', 'message.sent'] },
  result: webhookWithSecretSchema,
  statuses: created,
  writes: true,
  handle(exchange, { body }) {
    const { url, events = eventTypes, app_id = null, enabled = true } = body
    const { world, now } = exchange
    const stored = exchange.collection(webhooks)
    assertRoom(stored, exchange.caller!.account.id)
    const webhook = stored.insert({
      id: newId(stored, world.random('webhook'), 'wh'),
      account: exchange.caller!.account.id,
      app: namedApp(exchange, app_id),
      url,
      events: [...new Set(events)],
      enabled,
      secret: createSecret(world),
      created_at: now,
      updated_at: now,
    })
    const status = Number(exchange.assume(appAssumptions, 'apps.create.status'))
    return { status, body: { ...presentWebhook(webhook), secret: webhook.secret } }
  },
})

function assertRoom(stored: Records<Webhook>, account: string): void {
  if (stored.ownedBy(account).size < most) return
  throw new ApiError('invalid_request', `The account has ${most} webhooks, and can have no more. Delete one first.`)
}
