import { expect } from 'vitest'
import { testApi, type Client } from '../support/test-api.ts'

const buy = ({ call }: Pick<Client, 'call'>) =>
  call('POST', '/v1/credits/purchases', { body: { amount: 100, payment_method: 'pm_ok' } })

const purchased = async ({ call }: Pick<Client, 'call'>) => (await call('GET', '/v1/credits')).body.purchased

testApi('a purchase that was pending at a snapshot settles after every restore, once each', async (client) => {
  const { world } = client
  await buy(client)
  world.snapshot('pending')
  for (let time = 0; time < 3; time++) {
    expect(await purchased(client)).toBe(5_000)
    world.clock.advance('3s')
    expect(await purchased(client)).toBe(5_100)
    world.restore('pending')
  }
})

testApi('a snapshot of the moment at which a purchase is due loses nothing', async (client) => {
  const { world } = client
  await buy(client)
  world.clock.advance('3s')
  world.snapshot('due')
  expect(await purchased(client)).toBe(5_100)
  world.restore('due')
  expect(await purchased(client)).toBe(5_100)
})

testApi('what fell due just before a restore is not done to what was restored', async (client) => {
  const { world } = client
  await buy(client)
  world.snapshot('pending')
  world.clock.advance('3s')
  world.restore('pending')
  expect(await purchased(client)).toBe(5_000)
  world.clock.advance('3s')
  expect(await purchased(client)).toBe(5_100)
})

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

testApi('a cancellation that is due at a restore does not happen to what was restored', async (client) => {
  const { call, world } = client
  world.snapshot('before')
  await call('DELETE', '/v1/subscription')
  world.clock.advance('30d')
  world.restore('before')
  world.clock.advance('60d')
  expect((await call('GET', '/v1/subscription')).body).toMatchObject({ plan: 'pro', status: 'active' })
})

testApi('another world has separate payments', async (client) => {
  const { call, world } = client
  await call('POST', '/~other/v1/credits/purchases', { body: { amount: 100, payment_method: 'pm_ok' } })
  await call('DELETE', '/~other/v1/subscription')
  world.clock.advance('60d')
  expect(await purchased(client)).toBe(5_000)
  expect((await call('GET', '/v1/subscription')).body).toMatchObject({ plan: 'pro', cancel_at_period_end: false })
})
