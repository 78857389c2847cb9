import { expect } from 'vitest'
import { type Client, start, testApi } from '../support/test-api.ts'
import { listen, toldTo } from './told.ts'

testApi('a subscription shows its plan and its current period', async ({ call, world }) => {
  const { status, body } = await call('GET', '/v1/subscription')
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      plan: 'pro',
      status: 'active',
      cancel_at_period_end: false,
      period_start: '2026-02-19T12:00:30.000Z',
      period_end: '2026-03-21T12:00:30.000Z',
      canceled_at: null,
      former_plan: null,
    },
  })
  world.clock.set('2026-02-01T00:00:00Z')
  const { body: before } = await call('GET', '/v1/subscription')
  expect([before.period_start, before.period_end]).toEqual([
    '2026-01-20T12:00:30.000Z',
    '2026-02-19T12:00:30.000Z',
  ])
})

testApi(
  'a month ends on the same day, or on the last day of a shorter month',
  async ({ call, world }) => {
    world.assume('payments.period', 'month')
    await world.records.subscriptions.update('acct_pro', {
      anchor: Date.parse('2024-01-31T10:00:00Z'),
    })
    for (const [now, start, end] of [
      ['2024-01-31T10:00:00Z', '2024-01-31T10', '2024-02-29T10'],
      ['2024-02-29T09:59:59.999Z', '2024-01-31T10', '2024-02-29T10'],
      ['2024-02-29T10:00:00Z', '2024-02-29T10', '2024-03-31T10'],
      ['2024-04-30T10:00:00Z', '2024-04-30T10', '2024-05-31T10'],
      ['2025-02-28T12:00:00Z', '2025-02-28T10', '2025-03-31T10'],
      ['2023-12-31T10:00:00Z', '2023-12-31T10', '2024-01-31T10'],
      ['2023-12-31T09:00:00Z', '2023-11-30T10', '2023-12-31T10'],
    ] as const) {
      world.clock.set(now)
      const { body } = await call('GET', '/v1/subscription')
      expect([body.period_start, body.period_end], now).toEqual([
        `${start}:00:00.000Z`,
        `${end}:00:00.000Z`,
      ])
    }
  },
)

const fixtures = {
  accounts: [{ id: 'acct_me', name: 'Me', email: 'me@example.com', plan: 'lite' }],
  keys: [{ secret: 'key_me', account: 'acct_me' }],
}

const ending = {
  account: 'acct_me',
  status: 'canceling',
  anchor: '29d ago',
  ending: { start: '29d ago', end: 'in 1d' },
  canceled_at: '1d ago',
}

testApi(
  'a subscription that the fixtures have as canceled ends with its period',
  { fixtures: { ...fixtures, subscriptions: [ending] } as never },
  async ({ call, world }) => {
    world.clock.advance('1d')
    const { body } = await call('GET', '/v1/subscription', { key: 'key_me' })
    expect(body).toMatchObject({ plan: 'free', status: 'canceled' })
  },
)

testApi(
  'an account without a subscription in the fixtures has one all the same',
  { fixtures },
  async ({ call }) => {
    const { status, body } = await call('GET', '/v1/subscription', { key: 'key_me' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ plan: 'lite', status: 'active', cancel_at_period_end: false })
    expect(Date.parse(body.period_end) - Date.parse(body.period_start)).toBe(30 * 86_400_000)
    expect((await call('DELETE', '/v1/subscription', { key: 'key_me' })).body).toEqual({
      ...body,
      cancel_at_period_end: true,
      canceled_at: '2026-03-01T12:00:30.000Z',
    })
    expect((await call('GET', '/v1/credits', { key: 'key_me' })).body).toEqual({
      balance: 0,
      purchased: 0,
      spent: 0,
    })
  },
)

testApi(
  "the plan is the account's: every key of it, its account and the next reading have it",
  async ({ call }) => {
    const { body } = await call('PUT', '/v1/subscription', { body: { plan: 'lite' } })
    expect((await call('GET', '/v1/subscription')).body).toEqual(body)
    expect((await call('GET', '/v1/account', { key: 'key_readonly' })).body.plan).toBe('lite')
    expect((await call('GET', '/v1/account', { key: 'key_lite' })).body.id).toBe('acct_lite')
  },
)

testApi(
  'leaving for the free plan ends the charges of an unpaid renewal',
  async ({ call, world }) => {
    const { period_end } = (await call('GET', '/v1/subscription')).body
    world.use('renewal-fails')
    world.clock.set(period_end)
    expect((await call('GET', '/v1/subscription')).body.status).toBe('past_due')
    world.use('upgrade-declined')
    expect((await call('PUT', '/v1/subscription', { body: { plan: 'lite' } })).status).toBe(400)
    expect((await call('PUT', '/v1/subscription', { body: { plan: 'free' } })).status).toBe(200)
  },
)

testApi('an account that is moved to the free plan owes nothing', async ({ call, world }) => {
  world.records.subscriptions.update('acct_pro', { status: 'past_due' })
  world.records.accounts.update('acct_pro', { plan: 'free' })
  expect((await call('GET', '/v1/subscription')).body).toMatchObject({
    plan: 'free',
    status: 'active',
  })
})

const end = '2026-03-21T12:00:30.000Z'

const cancel = ({ call }: Pick<Client, 'call'>) => call('DELETE', '/v1/subscription')

const show = async ({ call }: Pick<Client, 'call'>) => (await call('GET', '/v1/subscription')).body

testApi('it ends on the clock though nobody asks', async (client) => {
  const { world } = client
  await cancel(client)
  world.clock.advance('365d')
  await world.settled()
  expect(world.records.accounts.get('acct_pro')!.plan).toBe('free')
  expect(world.records.subscriptions.get('acct_pro')!.status).toBe('canceled')
})

testApi(
  'a deleted account has no plan to end, and its unpaid renewal is settled',
  async (client) => {
    const { accounts, subscriptions } = client.world.records
    await cancel(client)
    subscriptions.update('acct_lite', {
      status: 'past_due',
      unpaid: { since: Date.parse(start), attempts: 1 },
    })
    for (const account of ['acct_pro', 'acct_lite']) accounts.delete(account)
    client.world.clock.set(end)
    const statuses = ['acct_pro', 'acct_lite'].map((account) => subscriptions.get(account)!.status)
    expect(statuses).toEqual(['canceling', 'active'])
  },
)

testApi(
  'cancellations that come while the plan becomes free leave nothing to end',
  async (client) => {
    const { call, world } = client
    const after = async (turns: number) => {
      for (let turn = 0; turn < turns; turn++) await undefined
      return cancel(client)
    }
    await Promise.all([
      call('PUT', '/v1/subscription', { body: { plan: 'free' } }),
      ...Array.from({ length: 20 }, (_, index) => after(5 * index)),
    ])
    expect(await show(client)).toMatchObject({
      plan: 'free',
      status: 'active',
      cancel_at_period_end: false,
    })
    expect(world.records.accounts.get('acct_pro')!.plan).toBe('free')
  },
)

const buy = ({ call }: Pick<Client, 'call'>) =>
  call('POST', '/v1/credits/purchases', { body: { amount: 100, payment_method: 'pm_ok' } })

const purchased = async ({ call }: Pick<Client, 'call'>) =>
  (await call('GET', '/v1/credits')).body.purchased

testApi('purchases and cancellations from before a reset never happen', async (client) => {
  const { call, world } = client
  await buy(client)
  await call('DELETE', '/v1/subscription')
  world.reset()
  world.clock.freeze()
  world.clock.advance('60d')
  expect(await purchased(client)).toBe(5_000)
  expect((await call('GET', '/v1/subscription')).body).toMatchObject({
    plan: 'pro',
    status: 'active',
  })
})

testApi(
  'a plan change, a cancellation and its reversal send updates, and the end a cancellation',
  async (client) => {
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
  },
)

testApi('setting the plan that is already active sends no event', async (client) => {
  await listen(client)
  await client.call('PUT', '/v1/subscription', { body: { plan: 'pro' } })
  await client.call('GET', '/v1/apps')
  expect(toldTo(client)).toEqual([])
})

testApi(
  'purchases send events as they settle, with the balance, and only to their account',
  async (client) => {
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
        data: {
          ...succeeding,
          status: 'succeeded',
          settled_at: '2026-03-01T12:00:33.000Z',
          balance: balance + 50,
        },
      },
      {
        type: 'payment.failed',
        timestamp: '2026-03-01T12:00:34.000Z',
        data: {
          ...failing,
          status: 'failed',
          settled_at: '2026-03-01T12:00:34.000Z',
          balance: balance + 50,
        },
      },
    ])
    expect(toldTo(client, 'acct_lite')).toEqual([])
  },
)

testApi('a change to the plan that is there charges nothing', async ({ call, world }) => {
  world.use({ payments: [{ charge: 'upgrade', outcome: 'declined' }] })
  const put = async (plan: string) =>
    (await call('PUT', '/v1/subscription', { body: { plan } })).status
  expect([await put('pro'), await put('pro_plus')]).toEqual([200, 400])
})
