import { createWebhook } from './operations/create.ts'
import { deleteWebhook } from './operations/delete.ts'
import { getDelivery } from './operations/get-delivery.ts'
import { getWebhook } from './operations/get.ts'
import { listDeliveries } from './operations/list-deliveries.ts'
import { listWebhooks } from './operations/list.ts'
import { redeliver } from './operations/redeliver.ts'
import { rotateSecret } from './operations/rotate-secret.ts'
import { testWebhook } from './operations/send-test.ts'
import { updateWebhook } from './operations/update.ts'

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
