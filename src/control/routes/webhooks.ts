import { ok } from '../answer.ts'
import { readDelivery, showDeliveries, redeliverAndWait } from '../deliveries.ts'
import { defineRoutes } from '../route.ts'
import { findWebhook, triggerEvent } from '../webhooks.ts'

export const webhookRoutes = defineRoutes({
  'POST /worlds/{world}/events': {
    reads: 'body',
    handle: (call) => call.change(async (world) => ok(await triggerEvent(world, call.body))),
  },
  'GET /worlds/{world}/webhooks/{id}/grade': (call) => ok(call.world.grade(findWebhook(call))),
  'POST /worlds/{world}/webhooks/{id}/grade': async (call) => ok(await call.world.examine(findWebhook(call))),
  'GET /worlds/{world}/deliveries': { reads: 'query', handle: showDeliveries },
  'GET /worlds/{world}/deliveries/{id}': (call) => ok(readDelivery(call.world, call.param('id'))),
  'POST /worlds/{world}/deliveries/{id}/redeliver': (call) =>
    call.change(async (world) => ok(await redeliverAndWait(world, call.param('id')))),
})
