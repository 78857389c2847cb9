import type { Client } from '../support/through.ts'

/** Lets an account be told of what happens to its payments, from now on, and nothing of the default world falls due. */
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

/** What it was told, in the order in which it happened. */
export function toldTo(
  { world }: Pick<Client, 'world'>,
  account = 'acct_pro',
): { type: string; timestamp: string; data: any }[] {
  return world.records.deliveries
    .find(({ webhook }) => webhook === `wh_${account}`)
    .map(({ payload }) => JSON.parse(payload))
}
