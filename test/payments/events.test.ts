import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'
import { listen, toldTo } from './told.ts'

testApi('a plan change, a cancellation and its reversal send updates, and the end a cancellation', async (client) => {
  const { call, world } = client
  await listen(client)
  const { body: changed } = await call('PUT', '/v1/subscription', { body: { plan: 'lite' } })
  const { body: canceling } = await call('DELETE', '/v1/subscription')
  const { body: resumed } = await call('PUT', '/v1/subscription', { body: { plan: 'lite' } })
  await call('DELETE', '/v1/subscription')
  world.records.purchases.replace([])
  world.clock.advance('30d')
  const { body: ended } = await call('GET', '/v1/subscription')
  expect(toldTo(client)).toEqual([
    { type: 'subscription.updated', timestamp: start, data: changed },
    { type: 'subscription.updated', timestamp: start, data: canceling },
    { type: 'subscription.updated', timestamp: start, data: resumed },
    { type: 'subscription.updated', timestamp: start, data: canceling },
    { type: 'subscription.canceled', timestamp: '2026-03-21T12:00:30.000Z', data: ended },
  ])
})

testApi('setting the plan that is already active sends no event', async (client) => {
  await listen(client)
  await client.call('PUT', '/v1/subscription', { body: { plan: 'pro' } })
  await client.call('GET', '/v1/apps')
  expect(toldTo(client)).toEqual([])
})

testApi('purchases send events as they settle, with the balance, and only to their account', async (client) => {
  const { call, world } = client
  await listen(client)
  await listen(client, 'acct_lite')
  const { balance } = (await call('GET', '/v1/credits')).body
  const buy = async (payment_method: string) =>
    (await call('POST', '/v1/credits/purchases', { body: { amount: 50, payment_method } })).body
  const succeeding = await buy('pm_ok')
  world.clock.advance('1s')
  const failing = await buy('pm_fails_later')
  await buy('pm_declined')
  await call('GET', '/v1/apps')
  expect(toldTo(client)).toEqual([])
  world.clock.advance('1m')
  await call('GET', '/v1/apps')
  expect(toldTo(client)).toEqual([
    {
      type: 'credits.purchased',
      timestamp: '2026-03-01T12:00:33.000Z',
      data: { ...succeeding, status: 'succeeded', settled_at: '2026-03-01T12:00:33.000Z', balance: balance + 50 },
    },
    {
      type: 'payment.failed',
      timestamp: '2026-03-01T12:00:34.000Z',
      data: { ...failing, status: 'failed', settled_at: '2026-03-01T12:00:34.000Z', balance: balance + 50 },
    },
  ])
  expect(toldTo(client, 'acct_lite')).toEqual([])
})
