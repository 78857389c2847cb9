import { createWebhook } from './create.ts'
import { deleteWebhook } from './delete.ts'
import { getDelivery } from './get-delivery.ts'
import { getWebhook } from './get.ts'
import { listDeliveries } from './list-deliveries.ts'
import { listWebhooks } from './list.ts'
import { redeliver } from './redeliver.ts'
import { rotateSecret } from './rotate-secret.ts'
import { testWebhook } from './send-test.ts'
import { updateWebhook } from './update.ts'

/** What can be done with webhooks. */
export const webhookOperations = [
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
]
