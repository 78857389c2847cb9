import { appEvents } from '../../areas/apps/apps/events.ts'
import { conversationEvents } from '../../areas/apps/conversations/events.ts'
import { deploymentEvents } from '../../areas/apps/deployments/events.ts'
import { paymentEvents } from '../../areas/apps/payments/events.ts'
import { userEvents } from '../../areas/apps/users/events.ts'
import { newEventId } from '../../areas/apps/webhooks/delivery/deliver.ts'
import { sendAttempt, toWebhookRequest, type WebhookMessage } from '../../areas/apps/webhooks/delivery/message.ts'
import { toPayload } from '../../areas/apps/webhooks/delivery/payload.ts'
import { assumed } from '../../areas/apps/webhooks/assumptions.ts'
import { toWebhookTest, webhookEvents } from '../../areas/apps/webhooks/events.ts'
import {
  grade,
  type Grade,
  type Observation,
  recordObservations,
} from '../../areas/apps/webhooks/report/check-receiver.ts'
import { type Webhook, webhooks } from '../../areas/apps/webhooks/schemas.ts'
import type { EventSample, EventType } from '../../areas/event-types.ts'
import { plantCreatedSample } from '../../areas/plants/events.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import type { CoreWorld } from '../../core/world/world.ts'
import type { DeliveryReply } from '../generated/wire-types.ts'
import { describeMissing } from '../records.ts'
import { trigger, type TriggerOptions } from '../trigger.ts'

const staleBy = 3_600_000

/** Sends probes and records the answers. They are no deliveries: they are not logged or retried, and disable nothing. */
async function examine(world: CoreWorld, webhook: Readonly<Webhook>): Promise<void> {
  const { epoch } = world
  const at = world.clock.now()
  const data = toWebhookTest(webhook, at, 'This is an examination.')
  const payload = toPayload({ type: 'webhook.test', at, data })
  const twice = newEventId(world)
  const probes: Pick<WebhookMessage, 'id' | 'fault'>[] = [
    { id: twice },
    { id: twice },
    { id: newEventId(world), fault: { kind: 'stale-timestamp', by: staleBy } },
  ]
  if (assumed(world, 'webhooks.signature') !== 'none')
    probes.push({ id: newEventId(world), fault: { kind: 'bad-signature', by: 0 } })
  const seen: Observation[] = []
  for (const { id, fault } of probes) {
    const { isLast: _, ...outcome } = await sendAttempt(
      world,
      () => toWebhookRequest(world, webhook, { id, payload, due: at, fault }),
      {},
    )
    seen.push({ event: id, at, ...outcome, ...(fault && { fault: fault.kind }) })
  }
  if (world.epoch === epoch) recordObservations(world, webhook.id, seen)
}

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
    trigger(world, eventTypes, samples, type, data, options) as DeliveryReply[],
  grade: (world, id) => grade(world, findWebhook(world, id)),
  async examine(world, id) {
    await examine(world, findWebhook(world, id))
    return grade(world, findWebhook(world, id))
  },
}

const samples: Readonly<Record<EventType, EventSample>> = {
  'plant.created': plantCreatedSample,
  ...appEvents,
  ...userEvents,
  ...conversationEvents,
  ...deploymentEvents,
  ...paymentEvents,
  ...webhookEvents,
}

function findWebhook(world: LiveWorld, id: string) {
  const stored = world.collection(webhooks)
  const webhook = stored.get(id)
  if (webhook) return webhook
  throw new RangeError(`Failed to grade a receiver: ${describeMissing('webhook', id, stored)}`)
}
