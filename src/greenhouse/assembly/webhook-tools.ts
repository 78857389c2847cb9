import { appsEvents } from '../../areas/apps/event-samples.ts'
import { examine } from '../../areas/apps/webhooks/report/examine.ts'
import { grade, type Grade } from '../../areas/apps/webhooks/report/grade.ts'
import { webhooks } from '../../areas/apps/webhooks/schemas/webhook.ts'
import type { EventSample } from '../../areas/event-sample.ts'
import type { EventType } from '../../areas/event-types.ts'
import { plantCreatedSample } from '../../areas/plants/events.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import type { DeliveryReply } from '../generated/wire-types.ts'
import { describeMissing } from '../missing-record.ts'
import { trigger, type TriggerOptions } from '../trigger.ts'

/** The part that adds `world.trigger`, `world.grade` and `world.examine`. */
export interface WebhookTools {
  readonly part: 'webhook-tools'
  /** @throws RangeError for an unknown type, account or app. @internal */
  trigger(
    world: LiveWorld,
    eventTypes: readonly string[],
    type: string,
    data: Readonly<Record<string, unknown>> | undefined,
    options: TriggerOptions,
  ): DeliveryReply[]
  /** @throws RangeError for an unknown webhook. @internal */
  grade(world: LiveWorld, id: string): Grade
  /** @throws RangeError for an unknown webhook. @internal */
  examine(world: LiveWorld, id: string): Promise<Grade>
}

/** Adds `world.trigger`, `world.grade` and `world.examine` to worlds, for `createGreenhouse` of `greenhouse-mock/core`. */
export const webhookTools: WebhookTools = {
  part: 'webhook-tools',
  trigger: (world, eventTypes, type, data, options) =>
    trigger(world, { types: eventTypes, samples }, type, data, options) as DeliveryReply[],
  grade: (world, id) => grade(world, findWebhook(world, id)),
  async examine(world, id) {
    await examine(world, findWebhook(world, id))
    return grade(world, findWebhook(world, id))
  },
}

const samples: Readonly<Record<EventType, EventSample>> = { 'plant.created': plantCreatedSample, ...appsEvents }

function findWebhook(world: LiveWorld, id: string) {
  const stored = world.collection(webhooks)
  const webhook = stored.get(id)
  if (webhook) return webhook
  throw new RangeError(`Failed to grade a receiver: ${describeMissing('webhook', id, stored)}`)
}
