import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

const headers = { 'idempotency-key': 'first' }

testApi(
  'the same Idempotency-Key with the same body replays status and body, and makes one app',
  async ({ call, world }) => {
    const before = world.records.apps.count()
    const first = await call('POST', '/v1/apps', { body: { name: 'x' }, headers })
    world.clock.advance('5m')
    const again = await call('POST', '/v1/apps', { body: { name: 'x' }, headers })
    expect(again.status).toBe(201)
    expect(again.text).toBe(first.text)
    expect(world.records.apps.count()).toBe(before + 1)
  },
)

testApi('the app that is replayed is the one of the time, changed or deleted since', async ({ call, world }) => {
  const first = await call('POST', '/v1/apps', { body: { name: 'x' }, headers })
  await call('PATCH', `/v1/apps/${first.body.id}`, { body: { name: 'y' } })
  expect((await call('POST', '/v1/apps', { body: { name: 'x' }, headers })).text).toBe(first.text)
  await call('DELETE', `/v1/apps/${first.body.id}`)
  expect((await call('POST', '/v1/apps', { body: { name: 'x' }, headers })).text).toBe(first.text)
  expect(world.records.apps.get(first.body.id)).toBeUndefined()
})

testApi('a replay has its own request id and spends one more request', async ({ call }) => {
  const first = await call('POST', '/v1/apps', { body: { name: 'x' }, headers })
  const again = await call('POST', '/v1/apps', { body: { name: 'x' }, headers })
  expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
  expect(Number(again.headers.get('x-ratelimit-remaining'))).toBe(
    Number(first.headers.get('x-ratelimit-remaining')) - 1,
  )
})

testApi('another Idempotency-Key, or none, makes another app', async ({ call, world }) => {
  const before = world.records.apps.count()
  await call('POST', '/v1/apps', { body: { name: 'x' }, headers })
  await call('POST', '/v1/apps', { body: { name: 'x' }, headers: { 'idempotency-key': 'First' } })
  await call('POST', '/v1/apps', { body: { name: 'x' } })
  await call('POST', '/v1/apps', { body: { name: 'x' } })
  expect(world.records.apps.count()).toBe(before + 4)
})

testApi(
  'of twenty identical creations at once with one key one makes an app, and all tell of it',
  async ({ call, world }) => {
    const before = world.records.apps.count()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call('POST', '/v1/apps', { body: { name: 'x' }, headers })),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]!.status).toBe(201)
    expect(world.records.apps.count()).toBe(before + 1)
  },
)

testApi('only a POST replays', async ({ call }) => {
  const { body } = await call('POST', '/v1/apps', { body: { name: 'x' } })
  const path = `/v1/apps/${body.id}`
  expect((await call('PATCH', path, { body: { name: 'y' }, headers })).body.name).toBe('y')
  expect((await call('PATCH', path, { body: { name: 'z' }, headers })).body.name).toBe('z')
  expect((await call('DELETE', path, { headers })).status).toBe(204)
  expect((await call('DELETE', path, { headers })).status).toBe(404)
})
