import type { Client } from '../support/test-api.ts'

/** Subscribes an account to events of its payments; the default world's scheduled work is removed. */
export async function listen({ world }: Pick<Client, 'world'>, account = 'acct_pro'): Promise<void> {
  for (const { id } of world.records.purchases.find({ status: 'pending' })) world.records.purchases.delete(id)
  for (const { id } of world.records.deployments.find(({ state }) => state !== 'live'))
    world.records.deployments.delete(id)
  await world.records.webhooks.create({
    id: `wh_${account}`,
    account,
    app: null,
    url: 'http://127.0.0.1:9/none',
    events: ['subscription.updated', 'subscription.canceled', 'credits.purchased', 'payment.failed'],
    enabled: true,
    secret: 'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0',
    created_at: 0,
    updated_at: 0,
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
