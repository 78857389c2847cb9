import { expect } from 'vitest'
import { start, testApi, type Client } from '../support/test-api.ts'

const end = '2026-03-21T12:00:30.000Z'

const cancel = ({ call }: Pick<Client, 'call'>) => call('DELETE', '/v1/subscription')

const show = async ({ call }: Pick<Client, 'call'>) => (await call('GET', '/v1/subscription')).body

const canceling = {
  plan: 'pro',
  status: 'active',
  cancel_at_period_end: true,
  period_start: '2026-02-19T12:00:30.000Z',
  period_end: end,
  canceled_at: start,
  former_plan: null,
}

const canceled = { ...canceling, plan: 'free', status: 'canceled', cancel_at_period_end: false, former_plan: 'pro' }

testApi(
  'a plan that is canceled stays until the period ends on the clock, and is free from then on',
  async (client) => {
    const { world } = client
    world.assume('rate-limit.reported', 'minute')
    const { status, body } = await cancel(client)
    expect({ status, body }).toEqual({ status: 200, body: canceling })
    world.clock.set('2026-03-21T12:00:29.999Z')
    const before = await client.call('GET', '/v1/subscription')
    expect([before.body, before.headers.get('x-ratelimit-limit')]).toEqual([canceling, '300'])
    world.clock.advance(1)
    const after = await client.call('GET', '/v1/subscription')
    expect([after.body, after.headers.get('x-ratelimit-limit')]).toEqual([canceled, '60'])
    world.clock.advance('90d')
    expect(await show(client)).toEqual(canceled)
  },
)

testApi('it ends on the clock though nobody asks', async (client) => {
  const { world } = client
  await cancel(client)
  world.clock.advance('365d')
  await world.settled()
  expect(world.records.accounts.get('acct_pro')!.plan).toBe('free')
  expect(world.records.subscriptions.get('acct_pro')!.status).toBe('canceled')
})

testApi('cancelling twice changes nothing, and the first time counts', async (client) => {
  await cancel(client)
  client.world.clock.advance('1d')
  expect((await cancel(client)).body).toEqual(canceling)
})

testApi('the free plan has nothing to cancel, nor does one that has ended', async (client) => {
  const { call, world } = client
  const free = await call('DELETE', '/v1/subscription', { key: 'key_free' })
  expect([free.status, free.body.error.code]).toEqual([400, 'invalid_request'])
  await cancel(client)
  world.clock.set(end)
  expect((await cancel(client)).status).toBe(400)
  expect(await show(client)).toEqual(canceled)
})

for (const plan of ['pro', 'lite'])
  testApi(`a plan that is put (${plan}) takes a cancellation back`, async (client) => {
    const { call, world } = client
    await cancel(client)
    const { body } = await call('PUT', '/v1/subscription', { body: { plan } })
    expect(body).toEqual({ ...canceling, plan, cancel_at_period_end: false, canceled_at: null })
    world.clock.set(end)
    expect(await show(client)).toMatchObject({ plan, status: 'active', period_start: end })
  })

testApi('of an account that is gone, no plan ends, and what was unpaid is settled', async (client) => {
  const { accounts, subscriptions } = client.world.records
  await cancel(client)
  subscriptions.update('acct_lite', { status: 'past_due', unpaid: { since: Date.parse(start), attempts: 1 } })
  for (const account of ['acct_pro', 'acct_lite']) accounts.delete(account)
  client.world.clock.set(end)
  const statuses = ['acct_pro', 'acct_lite'].map((account) => subscriptions.get(account)!.status)
  expect(statuses).toEqual(['canceling', 'active'])
})

testApi('a cancellation that was taken back and made again ends once, with its own period', async (client) => {
  const { call, world } = client
  await cancel(client)
  await call('PUT', '/v1/subscription', { body: { plan: 'pro' } })
  world.clock.advance('25d')
  expect((await cancel(client)).body).toMatchObject({ period_start: end, period_end: '2026-04-20T12:00:30.000Z' })
  world.clock.set('2026-04-20T12:00:29.999Z')
  expect((await show(client)).plan).toBe('pro')
  world.clock.advance(1)
  expect((await show(client)).status).toBe('canceled')
})

testApi('a subscription that ended starts again with a paid plan', async (client) => {
  const { call, world } = client
  await cancel(client)
  world.clock.set('2026-05-01T00:00:00Z')
  const { body } = await call('PUT', '/v1/subscription', { body: { plan: 'lite' } })
  expect(body).toEqual({
    plan: 'lite',
    status: 'active',
    cancel_at_period_end: false,
    period_start: '2026-05-01T00:00:00.000Z',
    period_end: '2026-05-31T00:00:00.000Z',
    canceled_at: null,
    former_plan: null,
  })
  expect(await show(client)).toEqual(body)
})

testApi('cancellations that come while the plan becomes free leave nothing to end', async (client) => {
  const { call, world } = client
  const after = async (turns: number) => {
    for (let turn = 0; turn < turns; turn++) await undefined
    return cancel(client)
  }
  await Promise.all([
    call('PUT', '/v1/subscription', { body: { plan: 'free' } }),
    ...Array.from({ length: 20 }, (_, index) => after(5 * index)),
  ])
  expect(await show(client)).toMatchObject({ plan: 'free', status: 'active', cancel_at_period_end: false })
  expect(world.records.accounts.get('acct_pro')!.plan).toBe('free')
})
