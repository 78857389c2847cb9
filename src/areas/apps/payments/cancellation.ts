import { definePendingWork } from '../../../core/world/pending.ts'
import type { CoreWorld } from '../../../core/world/world.ts'
import type { DueNote } from '../../../core/time/clock.ts'
import { emitForAccount } from './events.ts'
import { subscriptions, type Subscription } from './schemas/subscription.ts'
import {
  periodKindOf,
  presentState,
  storedSubscriptionState,
  storeSubscriptionState,
  afterSubscriptionEnd,
} from './subscription-state.ts'

/** Schedules the end of a canceled plan, with its period. It is skipped if the cancellation was undone by then. */
export function scheduleSubscriptionEnd(world: CoreWorld, account: string, end: number): void {
  world.schedule(
    end,
    (at) => endPlan(world, account, at),
    (at) => {
      const subscription = world.collection(subscriptions).get(account)
      return subscription && endOf(subscription) === at ? [{ at, ...describeEnd(subscription) }] : []
    },
  )
}

function endPlan(world: CoreWorld, account: string, at: number): void {
  const state = storedSubscriptionState(world, account)
  const { subscription } = state
  if (state.plan === 'free' || endOf(subscription) !== at) return
  const ended = afterSubscriptionEnd(state, subscription.ending!, subscription.canceled_at!)
  storeSubscriptionState(world, ended)
  emitForAccount(world, 'subscription.canceled', account, at, presentState(periodKindOf(world), ended, at))
}

function endOf({ status, ending }: Readonly<Subscription>): number | undefined {
  return status === 'canceling' ? ending?.end : undefined
}

function describeEnd({ account }: Readonly<Subscription>): DueNote {
  return {
    kind: 'cancellation',
    title: `The canceled subscription of ${account} ends`,
    subject: { collection: 'subscriptions', id: account },
  }
}

export const pendingCancellations = definePendingWork({
  collection: subscriptions,
  isWaiting: ({ status }) => status === 'canceling',
  dueAt: endOf,
  finish: (world, { account }, at) => endPlan(world, account, at),
  describe: describeEnd,
})
