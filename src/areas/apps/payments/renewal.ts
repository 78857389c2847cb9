import { accounts } from '../../../core/accounts/accounts.ts'
import { toMilliseconds } from '../../../core/time/clock.ts'
import type { EventType } from '../../event-types.ts'
import type { AreaLifecycle } from '../../../core/world/lifecycle.ts'
import type { World } from '../../../core/world/world.ts'
import { canFail, isDeclined } from './charge.ts'
import { toRenewalFailed, toSubscriptionEvent } from './events.ts'
import { periodAt } from './period.ts'
import { periodKindOf, periodOf, storedStanding, storeStanding, toEnded, type Standing } from './standing.ts'

/** When a renewal that failed is charged again, counted from the renewal. */
const retries: Record<string, readonly string[]> = { standard: ['3d', '5d', '7d'], none: [] }

/** What takes back the renewals that are waited for, by account. A renewal that succeeds changes nothing, so only those that can fail are. */
const awaited = new WeakMap<World, Map<string, () => void>>()

/** Waits for the renewals of the accounts of a world, as long as a scenario can make them fail. */
export const renewalLifecycle: AreaLifecycle = {
  stop(world) {
    awaited.delete(world)
  },
  refresh(world) {
    for (const takeBack of awaited.get(world)?.values() ?? []) takeBack()
    awaited.delete(world)
    if (canFail(world)) for (const { id } of world.collection(accounts).all()) followRenewal(world, id)
  },
}

/** How long ago a renewal may have been to be made up for, where the clock leaps: ten years. */
const longestAgo = 10 * 365 * 86_400_000

/** Waits for an account's next renewal after a time, now unless said, in the place of the one that was waited for. */
export function followRenewal(world: World, account: string, after = world.clock.now()): void {
  awaited.get(world)?.get(account)?.()
  if (!canFail(world)) return
  const { plan, subscription } = storedStanding(world, account)
  if (plan === 'free' || subscription.status !== 'active') return
  let waiting = awaited.get(world)
  if (!waiting) awaited.set(world, (waiting = new Map()))
  const { end } = periodAt(periodKindOf(world), subscription.anchor, Math.max(after, world.clock.now() - longestAgo))
  const takeBack = world.schedule(end, (at) => {
    // After a restore the clock still knows of those that nobody waits for any more.
    if (awaited.get(world)?.get(account) === takeBack) renew(world, account, at)
  })
  waiting.set(account, takeBack)
}

function renew(world: World, account: string, at: number): void {
  const standing = storedStanding(world, account)
  const { plan, subscription } = standing
  const isDue =
    plan !== 'free' &&
    subscription.status === 'active' &&
    periodAt(periodKindOf(world), subscription.anchor, at).start === at
  if (isDue && isDeclined(world, 'renewal', account)) fail(world, standing, at, { since: at, attempts: 1 })
  else followRenewal(world, account, at)
}

/** Notes a charge that failed, and sees to the next one; after the last the subscription ends, or stays unpaid. */
function fail(world: World, standing: Standing, at: number, unpaid: { since: number; attempts: number }): void {
  const { account } = standing.subscription
  const { since, attempts } = unpaid
  const kind = periodKindOf(world)
  const delay = retries[world.overlay.assumptions.get('payments.renewal-retries')!]![attempts - 1]
  const nextAt = delay === undefined ? undefined : since + toMilliseconds(delay)
  const next: Standing = { ...standing, subscription: { ...standing.subscription, status: 'past_due', unpaid } }
  storeStanding(world, next)
  if (nextAt !== undefined) retryAt(world, account, nextAt, unpaid)
  tell(world, 'payment.failed', account, at, toRenewalFailed(kind, next, at, { attempt: attempts, nextAt }))
  if (attempts === 1) tell(world, 'subscription.updated', account, at, toSubscriptionEvent(kind, next, at))
  if (nextAt !== undefined || world.overlay.assumptions.get('payments.unpaid') !== 'cancel') return
  const ended = toEnded(next, periodOf(kind, next.subscription, at), at)
  storeStanding(world, ended)
  tell(world, 'subscription.canceled', account, at, toSubscriptionEvent(kind, ended, at))
}

/** Charges again, unless the subscription was paid, changed or canceled by then. */
function retryAt(
  world: World,
  account: string,
  time: number,
  { since, attempts }: { since: number; attempts: number },
): void {
  world.schedule(time, (at) => {
    const standing = storedStanding(world, account)
    const { status, unpaid, anchor } = standing.subscription
    if (status !== 'past_due' || unpaid?.since !== since || unpaid.attempts !== attempts) return
    if (isDeclined(world, 'renewal', account)) return fail(world, standing, at, { since, attempts: attempts + 1 })
    const paid: Standing = { plan: standing.plan, subscription: { account, anchor, status: 'active' } }
    storeStanding(world, paid)
    followRenewal(world, account, at)
    tell(world, 'subscription.updated', account, at, toSubscriptionEvent(periodKindOf(world), paid, at))
  })
}

function tell(
  world: World,
  type: EventType,
  account: string,
  at: number,
  data: Readonly<Record<string, unknown>>,
): void {
  world.emit({ type, at, account, app: null, data })
}
