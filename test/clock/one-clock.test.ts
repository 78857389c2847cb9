import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'

testApi('keys expire by the clock of the world', async ({ world, call }) => {
  await world.records.keys.update('key_free', { expires_at: '2026-03-01T13:00:00Z' })
  const status = async () => (await call('GET', '/v1/apps', { key: 'key_free' })).status
  expect(await status()).toBe(200)
  world.clock.set('2026-03-01T12:59:59.999Z')
  expect(await status()).toBe(200)
  world.clock.advance(1)
  expect(await status()).toBe(401)
  world.clock.set(start)
  expect(await status()).toBe(200)
})

testApi('timestamps are those of the clock', async ({ world, call }) => {
  world.clock.set('2040-05-06T07:08:09.010Z')
  const { body } = await call('POST', '/v1/apps', { body: { name: 'x' } })
  expect(body.created_at).toBe('2040-05-06T07:08:09.010Z')
  world.clock.advance('1d')
  expect((await call('PATCH', `/v1/apps/${body.id}`, { body: { name: 'y' } })).body).toMatchObject({
    created_at: '2040-05-06T07:08:09.010Z',
    updated_at: '2040-05-07T07:08:09.010Z',
  })
})

testApi('rate windows, Retry-After and the journal follow the same clock', async ({ world, call }) => {
  for (let count = 0; count < 60; count++) await call('GET', '/v1/apps', { key: 'key_free' })
  const limited = await call('GET', '/v1/apps', { key: 'key_free' })
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '30'])
  world.clock.advance('20s')
  expect((await call('GET', '/v1/apps', { key: 'key_free' })).headers.get('retry-after')).toBe('10')
  world.clock.advance('10s')
  expect((await call('GET', '/v1/apps', { key: 'key_free' })).status).toBe(200)
  expect(world.journal.calls().at(-1)!.at).toBe('2026-03-01T12:01:00.000Z')
})

testApi('going back in time grants no quota, nor does going back and on again', async ({ world, call }) => {
  for (const mode of ['calendar', 'first-request', 'sliding'] as const) {
    world.reset()
    world.clock.freeze()
    world.clock.set(start)
    world.assume('rate-limit.window', mode)
    const status = async () => (await call('GET', '/v1/apps?limit=1', { key: 'key_free' })).status
    for (let count = 0; count < 60; count++) expect(await status()).toBe(200)
    for (const by of ['-1m', '-1h', '-1d', '-400d']) {
      world.clock.advance(by)
      expect(await status(), `${mode} ${by}`).toBe(429)
    }
    world.clock.set(start)
    expect(await status()).toBe(429)
    world.clock.advance('61s')
    expect(await status()).toBe(200)
  }
})

testApi('advancing by years starts new rate windows, once', async ({ world, call }) => {
  const remaining = async () =>
    (await call('GET', '/v1/apps?limit=1', { key: 'key_free' })).headers.get('x-ratelimit-remaining')
  for (let count = 0; count < 10; count++) await remaining()
  world.clock.advance('3650d')
  expect([await remaining(), await remaining()]).toEqual(['59', '58'])
})

testApi('an Idempotency-Key is forgotten by the clock of the world', async ({ world, call }) => {
  const create = async () =>
    (await call('POST', '/v1/apps', { body: { name: 'x' }, headers: { 'idempotency-key': 'k' } })).body.id
  const first = await create()
  world.clock.advance('23h59m59s')
  expect(await create()).toBe(first)
  world.clock.advance('1s')
  expect(await create()).not.toBe(first)
})
