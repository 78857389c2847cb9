import { defineResource } from '../declare.ts'
import { deliveryLifecycle, pendingDeliveries } from './delivery/engine.ts'
import {
  deliveries,
  deliverySchema,
  newWebhookSchema,
  webhookChangesSchema,
  webhooks,
  webhookSchema,
  webhookTestSchema,
  webhookWithSecretSchema,
} from './schemas.ts'
import { createWebhook } from './operations/create.ts'
import { deleteWebhook } from './operations/delete.ts'
import { getWebhook } from './operations/get.ts'
import { getDelivery } from './operations/get-delivery.ts'
import { listWebhooks } from './operations/list.ts'
import { listDeliveries } from './operations/list-deliveries.ts'
import { redeliver } from './operations/redeliver.ts'
import { rotateSecret } from './operations/rotate-secret.ts'
import { testWebhook } from './operations/send-test.ts'
import { updateWebhook } from './operations/update.ts'

export const webhookResource = defineResource({
  operations: [
    listWebhooks,
    createWebhook,
    getWebhook,
    updateWebhook,
    deleteWebhook,
    rotateSecret,
    testWebhook,
    listDeliveries,
    getDelivery,
    redeliver,
  ],
  eventSchemas: { 'webhook.test': webhookTestSchema },
  collections: { webhooks, deliveries },
  lifecycles: [deliveryLifecycle],
  pending: [pendingDeliveries],
  schemas: {
    Webhook: webhookSchema,
    WebhookWithSecret: webhookWithSecretSchema,
    NewWebhook: newWebhookSchema,
    WebhookChanges: webhookChangesSchema,
    Delivery: deliverySchema,
  },
})
