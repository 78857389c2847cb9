import { expect, test } from 'vitest'
import { builtInCatalogue } from '../../../src/catalogue/catalogue.ts'
import { listen, toldTo } from '../../payments/told.ts'
import { type Client, testApi } from '../../support/test-api.ts'

const buy = async ({ call }: any, key = 'key_pro') =>
  (
    await call('POST', '/v1/credits/purchases', {
      key,
      body: { amount: 5, payment_method: 'pm_ok' },
    })
  ).status

testApi(
  'payments count the payments that they are meant for, and no other request',
  async (client) => {
    const where = { account: 'acct_pro' }
    client.world.use({ payments: [{ charge: ['purchase', 'upgrade'], where, after: 1, times: 2 }] })
    expect(await buy(client)).toBe(201)
    await client.call('POST', '/v1/apps', { body: { name: 'none' } })
    expect(await buy(client, 'key_lite')).toBe(201)
    expect(await buy(client)).toBe(400)
    expect(
      (await client.call('PUT', '/v1/subscription', { body: { plan: 'pro_plus' } })).status,
    ).toBe(400)
    expect(await buy(client)).toBe(201)
  },
)

testApi('payments can mean the accounts of a plan', async (client) => {
  client.world.use({ payments: [{ charge: 'purchase', where: { plan: 'lite' } }] })
  expect([await buy(client, 'key_lite'), await buy(client)]).toEqual([400, 201])
})

testApi('the same payments are refused after every restore', async (client) => {
  client.world.use({ payments: [{ charge: 'purchase', times: 1 }] })
  client.world.snapshot('start')
  for (let round = 0; round < 2; round++) {
    expect([await buy(client), await buy(client), await buy(client)]).toEqual([400, 201, 201])
    client.world.restore('start')
  }
})

test('payments can act on whatever writes, and that is every operation but GETs', () => {
  const { operations } = builtInCatalogue
  expect(operations.filter(({ writes }) => writes)).toEqual(
    operations.filter(({ method }) => method !== 'GET'),
  )
})

testApi(
  'purchase-declined refuses the given number of purchases, even with pm_ok; stores nothing',
  async (client) => {
    const { world, call } = client
    await listen(client)
    const buy = () =>
      call('POST', '/v1/credits/purchases', { body: { amount: 50, payment_method: 'pm_ok' } })
    const before = world.records.purchases.count()
    world.use('purchase-declined', { failures: 2 })
    for (let time = 0; time < 2; time++)
      expect(await buy()).toMatchObject({
        status: 400,
        body: { error: { code: 'payment_declined' } },
      })
    expect(world.records.purchases.count()).toBe(before)
    expect(await buy()).toMatchObject({ status: 201, body: { status: 'pending' } })
    world.clock.advance('3s')
    await call('GET', '/v1/credits')
    expect(toldTo(client).map(({ type }) => type)).toEqual(['credits.purchased'])
  },
)

testApi(
  'with purchase-fails a purchase is pending, then fails with its event and without credits',
  async (client) => {
    const { world, call } = client
    await listen(client)
    const buy = async () =>
      (
        await call('POST', '/v1/credits/purchases', {
          body: { amount: 50, payment_method: 'pm_ok' },
        })
      ).body
    const { body: before } = await call('GET', '/v1/credits')
    world.use('purchase-fails')
    const pending = await buy()
    expect(pending.status).toBe('pending')
    world.clear()
    world.clock.advance('3s')
    const { body: failed } = await call('GET', `/v1/credits/purchases/${pending.id}`)
    expect(failed).toMatchObject({ status: 'failed', payment_method: 'pm_ok' })
    expect((await call('GET', '/v1/credits')).body).toEqual(before)
    expect(toldTo(client)).toEqual([
      {
        type: 'payment.failed',
        timestamp: failed.settled_at,
        data: { ...failed, balance: before.balance },
      },
    ])
    const next = await buy()
    world.clock.advance('3s')
    expect((await call('GET', `/v1/credits/purchases/${next.id}`)).body.status).toBe('succeeded')
  },
)

testApi('upgrade-declined rejects a plan that costs more, and nothing changes', async (client) => {
  const { world, call } = client
  await listen(client, 'acct_free')
  const before = await call('GET', '/v1/subscription', { key: 'key_free' })
  const { subscriptions, accounts } = world.records
  const storedOf = () => [{ ...subscriptions.get('acct_free') }, { ...accounts.get('acct_free') }]
  const stored = storedOf()
  world.use('upgrade-declined')
  const upgrade = () => call('PUT', '/v1/subscription', { key: 'key_free', body: { plan: 'pro' } })
  const { status, body, headers } = await upgrade()
  expect([status, body.error.code, headers.get('x-ratelimit-limit')]).toEqual([
    400,
    'payment_declined',
    '60',
  ])
  expect((await call('GET', '/v1/subscription', { key: 'key_free' })).body).toEqual(before.body)
  expect(storedOf()).toEqual(stored)
  expect(toldTo(client, 'acct_free')).toEqual([])
  world.clear()
  expect((await upgrade()).body).toMatchObject({ plan: 'pro', status: 'active' })
})

testApi(
  'upgrade-declined leaves alone what costs nothing more, and other accounts',
  async ({ world, call }) => {
    world.use('upgrade-declined', { account: 'acct_pro' })
    expect((await call('PUT', '/v1/subscription', { body: { plan: 'pro_plus' } })).status).toBe(400)
    expect((await call('PUT', '/v1/subscription', { body: { plan: 'lite' } })).status).toBe(200)
    expect((await call('PUT', '/v1/subscription', { body: { plan: 'free' } })).status).toBe(200)
    expect(
      (await call('PUT', '/v1/subscription', { key: 'key_lite', body: { plan: 'pro' } })).status,
    ).toBe(200)
  },
)

testApi(
  'upgrade-declined in a header declines that one call, and the journal says so',
  async ({ world, call }) => {
    const headers = { 'x-greenhouse-scenario': 'upgrade-declined' }
    expect(
      (await call('PUT', '/v1/subscription', { body: { plan: 'pro_plus' }, headers })).status,
    ).toBe(400)
    expect(world.journal.calls().at(-1)!.verdicts).toMatchObject([
      {
        scenario: 'upgrade-declined',
        effect: 'payments.0',
        fired: true,
        why: 'it acts on payments',
      },
    ])
    expect((await call('PUT', '/v1/subscription', { body: { plan: 'pro_plus' } })).status).toBe(200)
  },
)

const look = async ({ call }: any, key = 'key_pro') =>
  (await call('GET', '/v1/subscription', { key })).body

/** Lets the renewal of Pro's subscription fail, and gives the moment. */
async function failRenewal(
  client: Client,
  options: { account?: string; failures?: number } = {},
): Promise<string> {
  await listen(client)
  const { period_end } = await look(client)
  client.world.use('renewal-fails', options)
  client.world.clock.set(period_end)
  return period_end
}

testApi(
  'with renewal-fails a subscription is past due at renewal, keeps its plan and sends events',
  async (client) => {
    const period_end = await failRenewal(client)
    const { body, headers } = await client.call('GET', '/v1/subscription')
    expect(body).toMatchObject({
      plan: 'pro',
      status: 'past_due',
      cancel_at_period_end: false,
      period_start: period_end,
      canceled_at: null,
      former_plan: null,
    })
    expect(headers.get('x-ratelimit-limit')).toBe('300')
    const nextAt = new Date(Date.parse(period_end) + 3 * 86_400_000).toISOString()
    expect(toldTo(client)).toEqual([
      {
        type: 'payment.failed',
        timestamp: period_end,
        data: {
          subscription: body,
          amount: 2_900,
          currency: 'USD',
          attempt: 1,
          next_attempt_at: nextAt,
        },
      },
      { type: 'subscription.updated', timestamp: period_end, data: body },
    ])
  },
)

testApi(
  'with so many failures the charge after them succeeds, and the next renewal is a new one',
  async (client) => {
    const { world } = client
    world.use('legacy-rate-limit-headers')
    await failRenewal(client, { account: 'acct_pro', failures: 2 })
    world.clock.advance('3d')
    expect((await look(client)).status).toBe('past_due')
    world.clock.advance('2d')
    expect((await look(client)).status).toBe('active')
    expect(toldTo(client).map(({ type, data }) => [type, data.attempt])).toEqual([
      ['payment.failed', 1],
      ['subscription.updated', undefined],
      ['payment.failed', 2],
      ['subscription.updated', undefined],
    ])
  },
)

testApi(
  'the subscription is canceled after the fourth failed charge, seven days after the renewal',
  async (client) => {
    const { world, call } = client
    const period_end = await failRenewal(client)
    world.clock.advance('90d')
    const { body, headers } = await call('GET', '/v1/subscription')
    const end = new Date(Date.parse(period_end) + 7 * 86_400_000).toISOString()
    const isCanceled = { plan: 'free', status: 'canceled', former_plan: 'pro' }
    expect(body).toMatchObject({ ...isCanceled, canceled_at: end, period_start: period_end })
    expect(headers.get('x-ratelimit-limit')).toBe('60')
    expect(
      toldTo(client).map(({ type, timestamp, data }) => [
        type,
        (Date.parse(timestamp) - Date.parse(period_end)) / 86_400_000,
        data.attempt ?? data.status,
      ]),
    ).toEqual([
      ['payment.failed', 0, 1],
      ['subscription.updated', 0, 'past_due'],
      ['payment.failed', 3, 2],
      ['payment.failed', 5, 3],
      ['payment.failed', 7, 4],
      ['subscription.canceled', 7, 'canceled'],
    ])
    expect(toldTo(client).at(-2)!.data).toMatchObject({
      next_attempt_at: null,
      subscription: { status: 'past_due' },
    })
    expect(toldTo(client).at(-1)!.data).toEqual(body)
  },
)

testApi(
  'with payments.unpaid=past_due and no retries it stays past due after the first charge',
  async (client) => {
    const { world } = client
    world.assume({ 'payments.unpaid': 'past_due', 'payments.renewal-retries': 'none' })
    await failRenewal(client)
    world.clock.advance('20d')
    expect(await look(client)).toMatchObject({ plan: 'pro', status: 'past_due' })
  },
)

testApi('a subscription that is canceled goes on, and says so', async (client) => {
  await listen(client)
  const { body } = await client.call('DELETE', '/v1/subscription')
  await client.world.settled()
  expect(toldTo(client)).toMatchObject([{ type: 'subscription.updated', data: body }])
})

testApi('a past due subscription that is canceled ends at once', async (client) => {
  await failRenewal(client)
  const { body } = await client.call('DELETE', '/v1/subscription')
  expect(body).toMatchObject({ plan: 'free', status: 'canceled', former_plan: 'pro' })
  expect(toldTo(client).at(-1)).toMatchObject({ type: 'subscription.canceled', data: body })
})

testApi('payment of a past due subscription can be declined', async (client) => {
  await failRenewal(client)
  expect((await look(client)).status).toBe('past_due')
  const headers = { 'x-greenhouse-scenario': 'upgrade-declined' }
  const { status, body } = await client.call('PUT', '/v1/subscription', {
    body: { plan: 'pro' },
    headers,
  })
  expect([status, body.error.code]).toEqual([400, 'payment_declined'])
})

testApi(
  'renewal-fails spares other accounts, free and canceled plans, and renewals once cleared',
  async (client) => {
    const { world, call } = client
    world.use('renewal-fails', { account: 'acct_pro' })
    await call('DELETE', '/v1/subscription')
    world.clock.advance('45d')
    expect(await look(client)).toMatchObject({ plan: 'free', status: 'canceled' })
    expect(await look(client, 'key_lite')).toMatchObject({ plan: 'lite', status: 'active' })
    world.use('renewal-fails')
    world.clear()
    world.clock.advance('90d')
    for (const key of ['key_free', 'key_lite', 'key_pro_plus'])
      expect((await look(client, key)).status).toBe('active')
  },
)

testApi(
  'a plan begun under renewal-fails fails at its first renewal, once after every restore',
  async (client) => {
    const { world, call } = client
    await listen(client, 'acct_free')
    world.use('renewal-fails', { account: 'acct_free' })
    const { body } = await call('PUT', '/v1/subscription', {
      key: 'key_free',
      body: { plan: 'lite' },
    })
    world.snapshot('begun')
    for (let time = 0; time < 3; time++) {
      world.clock.set(body.period_end)
      expect((await look(client, 'key_free')).status).toBe('past_due')
      expect(toldTo(client, 'acct_free').map(({ type }) => type)).toEqual([
        'subscription.updated',
        'payment.failed',
        'subscription.updated',
      ])
      world.restore('begun')
    }
  },
)

testApi('an unpaid renewal is charged to nobody once its account is gone', async (client) => {
  const { world } = client
  await failRenewal(client)
  await world.records.accounts.delete('acct_pro')
  world.clock.advance('3d')
  expect(world.records.subscriptions.get('acct_pro')!.status).toBe('active')
})

testApi('a renewal is charged once after several restores', async (client) => {
  const { world } = client
  const { period_end } = await look(client)
  world.use({ payments: [{ charge: 'renewal', where: { account: 'acct_pro' }, after: 1 }] })
  for (let time = 0; time < 2; time++) {
    world.snapshot('before')
    world.restore('before')
  }
  world.clock.set(period_end)
  expect((await look(client)).status).toBe('active')
})

testApi('the failures are counted for each account', async (client) => {
  const { world } = client
  const renewals = []
  for (const key of ['key_lite', 'key_pro'])
    renewals.push({ key, at: (await look(client, key)).period_end })
  world.use('renewal-fails', { failures: 1 })
  for (const { key, at } of renewals.toSorted((one, other) => one.at.localeCompare(other.at))) {
    world.clock.set(at)
    expect((await look(client, key)).status, key).toBe('past_due')
  }
  world.clock.advance('3d')
  for (const { key } of renewals) expect((await look(client, key)).status, key).toBe('active')
})
