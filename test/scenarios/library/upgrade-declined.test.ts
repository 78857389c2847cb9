import { expect } from 'vitest'
import { listen, toldTo } from '../../payments/told.ts'
import { testApi } from '../../support/test-api.ts'

testApi(
  'upgrade-declined refuses a plan that costs more with payment_declined, and nothing changes',
  async (client) => {
    const { world, call } = client
    await listen(client, 'acct_free')
    const before = await call('GET', '/v1/subscription', { key: 'key_free' })
    const stored = [{ ...world.records.subscriptions.get('acct_free') }, { ...world.records.accounts.get('acct_free') }]
    world.use('upgrade-declined')
    const { status, body, headers } = await call('PUT', '/v1/subscription', { key: 'key_free', body: { plan: 'pro' } })
    expect([status, body.error.code, headers.get('x-ratelimit-limit')]).toEqual([400, 'payment_declined', '60'])
    expect((await call('GET', '/v1/subscription', { key: 'key_free' })).body).toEqual(before.body)
    expect([
      { ...world.records.subscriptions.get('acct_free') },
      { ...world.records.accounts.get('acct_free') },
    ]).toEqual(stored)
    expect(toldTo(client, 'acct_free')).toEqual([])
    world.clear()
    expect((await call('PUT', '/v1/subscription', { key: 'key_free', body: { plan: 'pro' } })).body).toMatchObject({
      plan: 'pro',
      status: 'active',
    })
  },
)

testApi('upgrade-declined leaves alone what costs nothing more, and other accounts', async ({ world, call }) => {
  world.use('upgrade-declined', { account: 'acct_pro' })
  expect((await call('PUT', '/v1/subscription', { body: { plan: 'pro_plus' } })).status).toBe(400)
  expect((await call('PUT', '/v1/subscription', { body: { plan: 'lite' } })).status).toBe(200)
  expect((await call('PUT', '/v1/subscription', { body: { plan: 'free' } })).status).toBe(200)
  expect((await call('PUT', '/v1/subscription', { key: 'key_lite', body: { plan: 'pro' } })).status).toBe(200)
})

testApi('upgrade-declined in a header declines that one call, and the journal says so', async ({ world, call }) => {
  const headers = { 'x-greenhouse-scenario': 'upgrade-declined' }
  expect((await call('PUT', '/v1/subscription', { body: { plan: 'pro_plus' }, headers })).status).toBe(400)
  expect(world.journal.calls().at(-1)!.verdicts).toMatchObject([
    { scenario: 'upgrade-declined', effect: 'payments.0', fired: true, why: 'it acts on payments' },
  ])
  expect((await call('PUT', '/v1/subscription', { body: { plan: 'pro_plus' } })).status).toBe(200)
})
