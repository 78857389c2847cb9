import type { CoreWorld } from '../../../../core/world/world.ts'
import type { Job } from './queue.ts'
import type { Delivery } from '../schemas/delivery.ts'
import type { Webhook } from '../schemas/webhook.ts'
import type { AttemptResult } from './send.ts'

/** Reports an attempt to the log, with the time of the next one. */
export function logAttempt(
  world: CoreWorld,
  { id: webhook, url }: Readonly<Webhook>,
  delivery: Readonly<Delivery>,
  { status, error, latency }: Omit<AttemptResult, 'isLast'>,
  at: number,
  next: Job | undefined,
): void {
  const { id, type, tries } = delivery
  world.notify({
    event: 'delivery',
    world: world.name,
    at,
    webhook,
    delivery: id,
    type,
    url,
    attempt: tries + 1,
    status,
    error,
    ms: latency,
    next: next?.at ?? null,
  })
}
