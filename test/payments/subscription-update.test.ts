import { expect } from 'vitest'
import { testApi, type Client } from '../support/test-api.ts'

const limitOf = async ({ call }: Pick<Client, 'call'>) =>
  (await call('GET', '/v1/apps', { key: 'key_free' })).headers.get('x-ratelimit-limit')

const change = ({ call }: Pick<Client, 'call'>, plan: string) =>
  call('PUT', '/v1/subscription', { key: 'key_free', body: { plan } })

testApi('a change of plan moves the limits of the very next request, up and down', async (client) => {
  client.world.assume('rate-limit.reported', 'minute')
  expect(await limitOf(client)).toBe('60')
  for (const [plan, minute] of [
    ['pro_plus', '600'],
    ['lite', '120'],
    ['pro', '300'],
    ['free', '60'],
  ] as const) {
    expect((await change(client, plan)).body).toMatchObject({ plan, status: 'active', cancel_at_period_end: false })
    expect(await limitOf(client)).toBe(minute)
  }
})

testApi('a changed plan allows what the old one refused, and refuses what the old one allowed', async (client) => {
  const { call } = client
  const status = async () => (await call('GET', '/v1/plans', { key: 'key_free' })).status
  for (let sent = 0; sent < 59; sent++) await status()
  expect((await change(client, 'lite')).status).toBe(200)
  expect(await status()).toBe(200)
  expect((await change(client, 'free')).status).toBe(200)
  expect(await status()).toBe(429)
})

testApi('a change of plan moves the cap on apps of the very next creation', async (client) => {
  const { call, world } = client
  const create = async () => (await call('POST', '/v1/apps', { key: 'key_free', body: { name: 'x' } })).status
  while (world.records.apps.find(({ account }) => account === 'acct_free').length < 5) await create()
  expect(await create()).toBe(403)
  await change(client, 'lite')
  expect(await create()).toBe(201)
  await change(client, 'free')
  expect(await create()).toBe(403)
})

testApi('a paid plan after the free one begins a period; from one paid plan to another it goes on', async (client) => {
  const { body: paid } = await change(client, 'lite')
  expect([paid.period_start, paid.period_end]).toEqual(['2026-03-01T12:00:30.000Z', '2026-03-31T12:00:30.000Z'])
  client.world.clock.advance('5d')
  const { body: higher } = await change(client, 'pro')
  expect([higher.period_start, higher.period_end]).toEqual([paid.period_start, paid.period_end])
})

testApi("the plan is the account's: every key of it, its account and the next reading have it", async ({ call }) => {
  const { body } = await call('PUT', '/v1/subscription', { body: { plan: 'lite' } })
  expect((await call('GET', '/v1/subscription')).body).toEqual(body)
  expect((await call('GET', '/v1/account', { key: 'key_readonly' })).body.plan).toBe('lite')
  expect((await call('GET', '/v1/account', { key: 'key_lite' })).body.id).toBe('acct_lite')
})

testApi('who leaves for the free plan is not charged, though a renewal is unpaid', async ({ call, world }) => {
  const { period_end } = (await call('GET', '/v1/subscription')).body
  world.use('renewal-fails')
  world.clock.set(period_end)
  expect((await call('GET', '/v1/subscription')).body.status).toBe('past_due')
  world.use('upgrade-declined')
  expect((await call('PUT', '/v1/subscription', { body: { plan: 'lite' } })).status).toBe(400)
  expect((await call('PUT', '/v1/subscription', { body: { plan: 'free' } })).status).toBe(200)
})

testApi('an account that is moved to the free plan owes nothing', async ({ call, world }) => {
  world.records.subscriptions.update('acct_pro', { status: 'past_due' })
  world.records.accounts.update('acct_pro', { plan: 'free' })
  expect((await call('GET', '/v1/subscription')).body).toMatchObject({ plan: 'free', status: 'active' })
})
