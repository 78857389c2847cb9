import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { type Client, start, testApi } from '../support/test-api.ts'
import { listen, toldTo } from './told.ts'

const buy = ({ call }: Pick<Client, 'call'>) =>
  call('POST', '/v1/credits/purchases', { body: { amount: 100, payment_method: 'pm_ok' } })

const purchased = async ({ call }: Pick<Client, 'call'>) => (await call('GET', '/v1/credits')).body.purchased

testApi('what was bought and canceled before a reset never comes to pass', async (client) => {
  const { call, world } = client
  await buy(client)
  await call('DELETE', '/v1/subscription')
  world.reset()
  world.clock.freeze()
  world.clock.advance('60d')
  expect(await purchased(client)).toBe(5_000)
  expect((await call('GET', '/v1/subscription')).body).toMatchObject({ plan: 'pro', status: 'active' })
})

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
  const updates = [changed, canceling, resumed, canceling]
  expect(toldTo(client)).toEqual([
    ...updates.map((data) => ({ type: 'subscription.updated', timestamp: start, data })),
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

const { records } = createGreenhouse().world()

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

for (const { id } of records.accounts.all()) {
  test(`${id} has purchased the sum of its succeeded purchases, and spent that of its messages`, () => {
    const bought = records.purchases.find(({ account, status }) => account === id && status === 'succeeded')
    expect(records.credits.get(id)).toEqual({
      account: id,
      purchased: sum(bought.map(({ amount }) => amount)),
      spent: sum(records.messages.find(({ account }) => account === id).map(({ credits }) => credits)),
    })
  })

  test(`${id} has a subscription and credits left`, () => {
    expect(records.subscriptions.get(id)).toMatchObject({ status: 'active' })
    const { purchased, spent } = records.credits.get(id)!
    expect(purchased - spent).toBeGreaterThan(0)
  })
}
