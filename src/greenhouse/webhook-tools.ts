import type { EventSamples } from '../areas/event-sample.ts'
import type { Grade } from '../areas/apps/webhooks/report/grade.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import type { DeliveryReply } from './deliveries.ts'
import type { TriggerOptions } from './trigger.ts'

/** What a world does with webhooks besides delivering to them: it comes with the area that has them. */
export interface WebhookTools {
  /** @throws RangeError for an unknown type, account or app. */
  trigger(
    world: LiveWorld,
    samples: EventSamples,
    type: string,
    data: Readonly<Record<string, unknown>> | undefined,
    options: TriggerOptions,
  ): DeliveryReply[]
  /** @throws RangeError when there is no such webhook. */
  grade(world: LiveWorld, id: string): Grade
  /** @throws RangeError when there is no such webhook. */
  examine(world: LiveWorld, id: string): Promise<Grade>
}
