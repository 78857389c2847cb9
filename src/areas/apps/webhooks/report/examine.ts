import type { CoreWorld } from '../../../../core/world/world.ts'
import { toWebhookTest } from '../events.ts'
import { newEventId } from '../delivery/event-id.ts'
import { toPayload } from '../delivery/payload.ts'
import { toWebhookRequest, type WebhookMessage } from '../delivery/message.ts'
import { recordObservations, type Observation } from './observations.ts'
import { assumed } from '../delivery/schedule.ts'
import type { Webhook } from '../schemas/webhook.ts'
import { sendAttempt } from '../delivery/send.ts'

const staleBy = 3_600_000

/**
 * Examines a receiver: sends a test event twice, one that is an hour old and one with a wrong signature, and records
 * the answers. These are not deliveries: they are not logged or retried, and disable nothing.
 */
export async function examine(world: CoreWorld, webhook: Readonly<Webhook>): Promise<void> {
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
