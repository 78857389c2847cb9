import { defineOperation } from '../../../core/operation.ts'
import { ownWebhook } from './own.ts'
import { presentWebhook } from './present.ts'
import { overlapOf } from './schedule.ts'
import { webhooks, webhookWithSecretSchema } from './schemas.ts'
import { createSecret } from './secret.ts'

/** Gives a webhook a new secret, which the reply shows; for a while the former one signs too. */
export const rotateSecret = defineOperation({
  id: 'webhooks.rotate-secret',
  method: 'POST',
  path: '/webhooks/{webhook_id}/rotate-secret',
  title: "Rotate a webhook's secret",
  source: 'ours',
  scope: 'webhooks:write',
  result: webhookWithSecretSchema,
  writes: true,
  async handle(exchange, { params }) {
    const { id, secret: former } = ownWebhook(exchange, params)
    const { world, now } = exchange
    const secret = createSecret(world)
    const rotated = await exchange.collection(webhooks).update(id, { secret, former_secret: { secret: former, until: now + overlapOf(world) }, updated_at: now })
    return { status: 200, body: { ...presentWebhook(rotated!), secret } }
  },
})
