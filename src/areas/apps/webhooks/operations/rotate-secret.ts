import { declareOperation } from '../../../../core/pipeline/operation.ts'
import { recordOfPath } from '../../declare.ts'
import { presentWebhook, webhookKind } from '../present.ts'
import { overlapOf } from '../assumptions.ts'
import { createSecret, webhooks, webhookWithSecretSchema } from '../schemas.ts'

/** The most former secrets that sign; a further rotation ends the oldest. */
const maxFormer = 4

export const rotateSecret = declareOperation({
  id: 'webhooks.rotate-secret',
  method: 'POST',
  path: '/webhooks/{webhook_id}/rotate-secret',
  title: "Rotate a webhook's secret",
  scope: 'webhooks:write',
  result: webhookWithSecretSchema,
  handle(exchange, { params }) {
    const webhook = recordOfPath(exchange, webhookKind, params)
    const { world, now } = exchange
    const secret = createSecret(world)
    const former = [{ secret: webhook.secret, until: now + overlapOf(world) }, ...(webhook.former_secrets ?? [])]
    const former_secrets = former.filter(({ until }) => until > now).slice(0, maxFormer)
    const rotated = exchange.collection(webhooks).update(webhook.id, { secret, former_secrets, updated_at: now })
    return { status: 200, body: { ...presentWebhook(rotated!), secret } }
  },
})
