import { presentDelivery } from '../areas/apps/webhooks/present.ts'
import type { EventType } from '../areas/event-types.ts'
import type { DeliveryReply } from '../greenhouse/generated/wire-types.ts'
import type { World } from '../greenhouse/world.ts'
import type { List, TriggeredDelivery } from './answers.ts'
import { check } from './body.ts'
import type { Call } from './call.ts'
import { findRecord } from './find-record.ts'
import { eventSchema } from './schemas.ts'
import { waitFor } from './settled.ts'

export async function triggerEvent(world: World, body: unknown): Promise<List<TriggeredDelivery>> {
  const { type, data, account, app_id } = check(eventSchema, body)
  const made = await world.trigger(type as EventType, data, { account, app: app_id })
  await waitFor(world.settled())
  const { deliveries, webhooks } = world.records
  const shown = made.map((delivery) => {
    const now = deliveries.get(delivery.id)
    const url = webhooks.get(delivery.webhook_id)?.url
    return {
      ...(now ? (presentDelivery(now) as DeliveryReply) : delivery),
      url: url === undefined ? null : world.redact(url),
    }
  })
  return { data: shown }
}

export function findWebhook(call: Call): string {
  const { world } = call
  return findRecord('webhook', call.param('id'), world.records.webhooks, world).id
}
