import { expect } from 'vitest'
import { listen, toldTo } from '../../payments/told.ts'
import { testApi } from '../../support/test-api.ts'

testApi('purchase-declined refuses the given number of purchases, even with pm_ok; stores nothing', async (client) => {
  const { world, call } = client
  await listen(client)
  const buy = () => call('POST', '/v1/credits/purchases', { body: { amount: 50, payment_method: 'pm_ok' } })
  const before = world.records.purchases.count()
  world.use('purchase-declined', { failures: 2 })
  for (let time = 0; time < 2; time++)
    expect(await buy()).toMatchObject({ status: 400, body: { error: { code: 'payment_declined' } } })
  expect(world.records.purchases.count()).toBe(before)
  expect(await buy()).toMatchObject({ status: 201, body: { status: 'pending' } })
  world.clock.advance('3s')
  await call('GET', '/v1/credits')
  expect(toldTo(client).map(({ type }) => type)).toEqual(['credits.purchased'])
})
