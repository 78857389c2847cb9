import type { Client } from '../support/test-api.ts'
import { putWebhook } from '../webhooks/open.ts'

/**
 * Subscribes an account to events of its payments; the default world's scheduled work is removed.
 */
export async function listen(
  { world }: Pick<Client, 'world'>,
  account = 'acct_pro',
): Promise<void> {
  for (const { id } of world.records.purchases.find({ status: 'pending' }))
    world.records.purchases.delete(id)
  for (const { id } of world.records.deployments.find(({ state }) => state !== 'live'))
    world.records.deployments.delete(id)
  await putWebhook(world, `wh_${account}`, {
    account,
    events: [
      'subscription.updated',
      'subscription.canceled',
      'credits.purchased',
      'payment.failed',
    ],
  })
}

/** Returns the events that it got, in order. */
export function toldTo(
  { world }: Pick<Client, 'world'>,
  account = 'acct_pro',
): { type: string; timestamp: string; data: any }[] {
  return world.records.deliveries
    .find(({ webhook }) => webhook === `wh_${account}`)
    .map(({ payload }) => JSON.parse(payload))
}
