import { expect } from 'vitest'
import { listen, toldTo } from '../../payments/told.ts'
import { testApi } from '../../support/test-api.ts'

testApi('with purchase-fails a purchase is pending, then fails with its event and without credits', async (client) => {
  const { world, call } = client
  await listen(client)
  const buy = async () =>
    (await call('POST', '/v1/credits/purchases', { body: { amount: 50, payment_method: 'pm_ok' } })).body
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
    { type: 'payment.failed', timestamp: failed.settled_at, data: { ...failed, balance: before.balance } },
  ])
  const next = await buy()
  world.clock.advance('3s')
  expect((await call('GET', `/v1/credits/purchases/${next.id}`)).body.status).toBe('succeeded')
})
