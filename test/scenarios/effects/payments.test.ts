import { expect, test } from 'vitest'
import { contract } from '../../../src/api/assembly/catalogue.ts'
import { testApi } from '../../support/test-api.ts'
import { own } from './own.ts'

const buy = async ({ call }: any, key = 'key_pro') =>
  (await call('POST', '/v1/credits/purchases', { key, body: { amount: 5, payment_method: 'pm_ok' } })).status

testApi(
  'payments count the payments that they are meant for, and no other request',
  {
    scenarios: own({
      payments: [{ charge: ['purchase', 'upgrade'], where: { account: 'acct_pro' }, after: 1, times: 2 }],
    }),
  },
  async (client) => {
    client.world.use('own')
    expect(await buy(client)).toBe(201)
    await client.call('POST', '/v1/apps', { body: { name: 'none' } })
    expect(await buy(client, 'key_lite')).toBe(201)
    expect(await buy(client)).toBe(400)
    expect((await client.call('PUT', '/v1/subscription', { body: { plan: 'pro_plus' } })).status).toBe(400)
    expect(await buy(client)).toBe(201)
  },
)

testApi(
  'payments can mean the accounts of a plan',
  { scenarios: own({ payments: [{ charge: 'purchase', where: { plan: 'lite' } }] }) },
  async (client) => {
    client.world.use('own')
    expect([await buy(client, 'key_lite'), await buy(client)]).toEqual([400, 201])
  },
)

testApi(
  'what payments are refused is the same after every restore, counters included',
  { scenarios: own({ payments: [{ charge: 'purchase', times: 1 }] }) },
  async (client) => {
    client.world.use('own')
    client.world.snapshot('start')
    for (let round = 0; round < 2; round++) {
      expect([await buy(client), await buy(client), await buy(client)]).toEqual([400, 201, 201])
      client.world.restore('start')
    }
  },
)

test('payments can act on whatever writes, and that is every operation but GETs', () => {
  const { operations } = contract
  expect(operations.filter(({ writes }) => writes)).toEqual(operations.filter(({ method }) => method !== 'GET'))
})
