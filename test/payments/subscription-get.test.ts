import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

testApi('a subscription shows its plan and its current period', async ({ call }) => {
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
})

testApi('periods follow each other: at the very end of one the next begins', async ({ call, world }) => {
  const period = async () => {
    const { period_start, period_end } = (await call('GET', '/v1/subscription')).body
    return [period_start, period_end]
  }
  world.clock.set('2026-03-21T12:00:29.999Z')
  expect(await period()).toEqual(['2026-02-19T12:00:30.000Z', '2026-03-21T12:00:30.000Z'])
  world.clock.advance(1)
  expect(await period()).toEqual(['2026-03-21T12:00:30.000Z', '2026-04-20T12:00:30.000Z'])
  world.clock.advance('31d')
  expect(await period()).toEqual(['2026-04-20T12:00:30.000Z', '2026-05-20T12:00:30.000Z'])
  world.clock.set('2026-02-01T00:00:00Z')
  expect(await period()).toEqual(['2026-01-20T12:00:30.000Z', '2026-02-19T12:00:30.000Z'])
})

testApi(
  'a period of a calendar month ends on the same day, or on the last day of a shorter month',
  async ({ call, world }) => {
    world.assume('payments.period', 'month')
    await world.records.subscriptions.update('acct_pro', { anchor: Date.parse('2024-01-31T10:00:00Z') })
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
      expect([body.period_start, body.period_end], now).toEqual([`${start}:00:00.000Z`, `${end}:00:00.000Z`])
    }
  },
)

testApi('each account has its own', async ({ call }) => {
  for (const plan of ['free', 'lite', 'pro', 'pro_plus'])
    expect((await call('GET', '/v1/subscription', { key: `key_${plan}` })).body).toMatchObject({
      plan,
      status: 'active',
    })
})

testApi(
  'an account without a subscription in the fixtures has one all the same',
  {
    fixtures: {
      accounts: [{ id: 'acct_me', name: 'Me', email: 'me@example.com', plan: 'lite' }],
      keys: [{ secret: 'key_me', account: 'acct_me' }],
    },
  },
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
    expect((await call('GET', '/v1/credits', { key: 'key_me' })).body).toEqual({ balance: 0, purchased: 0, spent: 0 })
  },
)
