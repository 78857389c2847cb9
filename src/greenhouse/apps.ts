import { appsArea, appsCollections, appsEvents } from '../areas/apps/index.ts'
import { examine } from '../areas/apps/webhooks/report/examine.ts'
import { grade } from '../areas/apps/webhooks/report/grade.ts'
import { webhooks } from '../areas/apps/webhooks/schemas/webhook.ts'
import { quote } from '../core/definitions/quote.ts'
import { suggest } from '../core/definitions/suggest.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import type { DeliveryReply } from './deliveries.ts'
import type { AreaPart } from './make-catalogue.ts'
import { trigger } from './trigger.ts'

/** Area B, app management with its webhooks, for `createGreenhouse` of `greenhouse-mock/core`. */
export const apps: AreaPart = {
  name: 'apps',
  area: appsArea,
  collections: appsCollections,
  events: appsEvents,
  webhooks: {
    trigger: (world, samples, type, data, options) => trigger(world, samples, type, data, options) as DeliveryReply[],
    grade: (world, id) => grade(world, findWebhook(world, id)),
    async examine(world, id) {
      await examine(world, findWebhook(world, id))
      return grade(world, findWebhook(world, id))
    },
  },
}

function findWebhook(world: LiveWorld, id: string) {
  const webhook = world.collection(webhooks).get(id)
  if (webhook) return webhook
  throw new RangeError(
    `Failed to grade a receiver: there is no webhook ${quote(id)}.${suggest(
      id,
      world
        .collection(webhooks)
        .all()
        .map((known) => known.id),
    )}`,
  )
}
