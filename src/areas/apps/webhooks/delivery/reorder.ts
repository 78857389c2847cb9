import { sharedByBuilds } from '../../../../core/contract/across-builds.ts'
import type { CoreWorld } from '../../../../core/world/world.ts'
import type { Job } from './queue.ts'
import { deliveries, type Delivery } from '../schemas/delivery.ts'

/** Deliveries that wait for a later one to the same webhook, by webhook. After a restore they wait only for their time. */
const heldBack = sharedByBuilds('held-back-deliveries', () => new WeakMap<CoreWorld, Map<string, Set<string>>>())

export function reorder(world: CoreWorld, { id, webhook }: Readonly<Delivery>): void {
  let held = heldBack.get(world)
  if (!held) heldBack.set(world, (held = new Map()))
  held.set(webhook, (held.get(webhook) ?? new Set()).add(id))
}

export function isHolding(world: CoreWorld, webhook: string): boolean {
  return heldBack.get(world)?.has(webhook) ?? false
}

export function release(
  world: CoreWorld,
  { webhook, account, delivery: sent, at }: Job,
  enqueue: (next: Job) => void,
): void {
  const held = heldBack.get(world)?.get(webhook)
  if (!held) return
  heldBack.get(world)!.delete(webhook)
  const stored = world.collection(deliveries)
  for (const id of held) {
    const delivery = stored.get(id)
    if (id === sent || delivery?.status !== 'pending' || delivery.attempts.length > 0) continue
    stored.update(id, { next_attempt_at: at })
    enqueue({ delivery: id, webhook, account, at })
  }
}

export function clearHeldBack(world: CoreWorld): void {
  heldBack.delete(world)
}
