import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

const path = '/v1/credits/purchases'
const headers = { 'idempotency-key': 'order-1' }
const body = { amount: 10, payment_method: 'pm_ok' }

testApi('fifty identical purchases at once with one Idempotency-Key are one purchase', async ({ call, world }) => {
  const before = world.records.purchases.count()
  const answers = await Promise.all(Array.from({ length: 50 }, () => call('POST', path, { body, headers })))
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(answers[0]!.status).toBe(201)
  expect(world.records.purchases.count()).toBe(before + 1)
  world.clock.advance('3s')
  expect((await call('GET', '/v1/credits')).body.purchased).toBe(5_010)
})

testApi('fifty identical purchases at once without one are fifty, and none is lost', async ({ call, world }) => {
  await Promise.all(Array.from({ length: 50 }, () => call('POST', path, { body })))
  world.clock.advance('3s')
  expect((await call('GET', '/v1/credits')).body.purchased).toBe(5_500)
})

testApi('another purchase with the same Idempotency-Key is 400', async ({ call }) => {
  await call('POST', path, { body, headers })
  const answer = await call('POST', path, { body: { ...body, amount: 11 }, headers })
  expect([answer.status, answer.body.error.code]).toEqual([400, 'idempotency_key_reused'])
})

testApi(
  'a declined purchase stays declined with its Idempotency-Key, and is made with another one',
  async ({ call }) => {
    const declined = { ...body, payment_method: 'pm_declined' }
    const first = await call('POST', path, { body: declined, headers })
    expect(await call('POST', path, { body: declined, headers })).toMatchObject({ status: 400, text: first.text })
    expect((await call('POST', path, { body, headers })).body.error.code).toBe('idempotency_key_reused')
    expect((await call('POST', path, { body, headers: { 'idempotency-key': 'another' } })).status).toBe(201)
  },
)

testApi('a replay after it settled is the reply of the time', async ({ call, world }) => {
  const first = await call('POST', path, { body, headers })
  world.clock.advance('1h')
  expect((await call('POST', path, { body, headers })).text).toBe(first.text)
  expect((await call('GET', '/v1/credits')).body.purchased).toBe(5_010)
})
