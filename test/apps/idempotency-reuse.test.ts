import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

const headers = { 'idempotency-key': 'first' }

testApi(
  'an Idempotency-Key with another body is 400 idempotency_key_reused and creates nothing',
  async ({ call, world }) => {
    await call('POST', '/v1/apps', { body: { name: 'x' }, headers })
    const before = world.records.apps.count()
    for (const body of [{ name: 'y' }, { name: 'x', login_required: false }, { name: 'x', colour: 'green' }]) {
      const answer = await call('POST', '/v1/apps', { body, headers })
      expect(answer.status).toBe(400)
      expect(answer.body.error.code).toBe('idempotency_key_reused')
    }
    expect(world.records.apps.count()).toBe(before)
  },
)

testApi('after a refused reuse the first request still replays', async ({ call }) => {
  const first = await call('POST', '/v1/apps', { body: { name: 'x' }, headers })
  await call('POST', '/v1/apps', { body: { name: 'y' }, headers })
  expect((await call('POST', '/v1/apps', { body: { name: 'x' }, headers })).text).toBe(first.text)
})

testApi('white space in the JSON does not make it another body', async ({ call }) => {
  const first = await call('POST', '/v1/apps', { body: '{"name":"x"}', headers })
  expect((await call('POST', '/v1/apps', { body: ' { "name" : "x" } ', headers })).text).toBe(first.text)
})

testApi('two accounts never share an Idempotency-Key; two keys of one account do', async ({ call, world }) => {
  await world.records.keys.create({ secret: 'key_pro_second', account: 'acct_pro' })
  const first = await call('POST', '/v1/apps', { body: { name: 'x' }, headers })
  const other = await call('POST', '/v1/apps', { key: 'key_lite', body: { name: 'y' }, headers })
  expect(other.status).toBe(201)
  expect(other.body.name).toBe('y')
  const same = await call('POST', '/v1/apps', { key: 'key_pro_second', body: { name: 'x' }, headers })
  expect(same.text).toBe(first.text)
})
