import type { CollectionStore } from '../../../../core/store/records.ts'
import type { CoreWorld } from '../../../../core/world/world.ts'
import type { Delivery } from '../schemas/delivery.ts'
import { enqueue } from './engine.ts'

export function sendAgain(
  world: CoreWorld,
  stored: Pick<CollectionStore<Delivery>, 'update'>,
  { id, webhook, account, status, next_attempt_at, redeliveries = 0 }: Readonly<Delivery>,
  now: number,
): Readonly<Delivery> {
  const isDue = status === 'pending' && next_attempt_at !== null && next_attempt_at <= now
  const pending = stored.update(
    id,
    isDue ? { redeliveries: redeliveries + 1 } : { status: 'pending', tries: 0, next_attempt_at: now },
  )
  if (!isDue) enqueue(world, { delivery: id, webhook, account, at: now })
  return pending!
}
