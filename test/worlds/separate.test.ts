import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

testApi('what one world creates or deletes, no other sees', {}, async ({ call, greenhouse }) => {
  await call('POST', '/~a/plants', { body: { id: 9_001, name: 'Here' } })
  await call('DELETE', '/~a/plants/101')
  expect((await call('GET', '/~a/plants')).body).toContainEqual({ name: 'Here' })
  const others = (await call('GET', '/~b/plants')).body
  expect(others).not.toContainEqual({ name: 'Here' })
  expect(others).toEqual((await call('GET', '/plants')).body)
  expect(others).toContainEqual(expect.objectContaining({ name: 'Lavandula angustifolia' }))
  expect((await call('POST', '/~b/plants', { body: { id: 9_001, name: 'There' } })).status).toBe(200)
  expect(greenhouse.world('a').records.plants.get(9_001)).toMatchObject({ name: 'Here' })
})

testApi('a change of an account or a key stays in its world', {}, async ({ call, greenhouse }) => {
  await greenhouse.world('a').records.accounts.update('acct_free', { plan: 'pro' })
  await greenhouse.world('a').records.keys.update('key_lite', { revoked: true })
  expect((await call('GET', '/~a/v1/apps', { key: 'key_free' })).headers.get('x-ratelimit-limit')).toBe('300')
  expect((await call('GET', '/~b/v1/apps', { key: 'key_free' })).headers.get('x-ratelimit-limit')).toBe('60')
  expect((await call('GET', '/~a/v1/apps', { key: 'key_lite' })).status).toBe(401)
  expect((await call('GET', '/~b/v1/apps', { key: 'key_lite' })).status).toBe(200)
})

testApi('each world has a separate quota', {}, async ({ call, greenhouse }) => {
  for (const name of ['a', 'b']) {
    greenhouse.world(name).clock.freeze()
    greenhouse.world(name).clock.set('2026-03-01T12:00:00Z')
  }
  for (let count = 0; count < 60; count++) await call('GET', '/~a/v1/apps', { key: 'key_free' })
  expect((await call('GET', '/~a/v1/apps', { key: 'key_free' })).status).toBe(429)
  const other = await call('GET', '/~b/v1/apps', { key: 'key_free' })
  expect([other.status, other.headers.get('x-ratelimit-remaining')]).toEqual([200, '59'])
})

testApi('scenarios and assumptions hold in their world only', {}, async ({ call, greenhouse }) => {
  greenhouse.world('a').use('server-error')
  greenhouse.world('b').assume('plants.delete.unknown', '204')
  expect((await call('DELETE', '/~a/plants/4242')).status).toBe(500)
  expect((await call('DELETE', '/~b/plants/4242')).status).toBe(204)
  expect((await call('DELETE', '/~c/plants/4242')).status).toBe(404)
  expect(greenhouse.world('c').scenarios).toEqual([])
  expect(greenhouse.world('c').assumptions['plants.delete.unknown']).toBe('404')
})

testApi('each world has a separate clock', {}, async ({ call, greenhouse, world }) => {
  const before = world.clock.now()
  greenhouse.world('a').clock.set('2040-01-01T00:00:00Z')
  greenhouse.world('a').clock.freeze()
  const { body } = await call('POST', '/~a/v1/apps', { body: { name: 'x' } })
  expect(body.created_at).toMatch(/^2040-/)
  expect(world.clock.now()).toBe(before)
  expect((await call('POST', '/v1/apps', { body: { name: 'x' } })).body.created_at).toMatch(/^2026-03-01/)
})

testApi('each world writes a separate journal', {}, async ({ call, greenhouse, world }) => {
  await call('GET', '/~a/plants')
  await call('GET', '/~b/v1/apps')
  expect(
    greenhouse
      .world('a')
      .journal.calls()
      .map((entry) => [entry.world, entry.operation]),
  ).toEqual([['a', 'plants.list']])
  expect(
    greenhouse
      .world('b')
      .journal.calls()
      .map((entry) => [entry.world, entry.operation]),
  ).toEqual([['b', 'apps.list']])
  expect(world.journal.calls()).toEqual([])
})

testApi('the same Idempotency-Key is another one in another world', async ({ call }) => {
  const headers = { 'idempotency-key': 'k' }
  const first = await call('POST', '/~a/v1/apps', { body: { name: 'x' }, headers })
  const other = await call('POST', '/~b/v1/apps', { body: { name: 'y' }, headers })
  expect([first.status, other.status]).toEqual([201, 201])
  expect(other.body.name).toBe('y')
})

testApi('snapshots belong to their world', {}, async ({ greenhouse }) => {
  greenhouse.world('a').snapshot('mine')
  expect(() => greenhouse.world('b').restore('mine')).toThrow(RangeError)
  expect(greenhouse.world('b').snapshots).toEqual([])
})

testApi('what chance gives a world does not depend on the others', {}, async ({ call, greenhouse }) => {
  const create = async (world: string) => (await call('POST', `/~${world}/v1/apps`, { body: { name: 'x' } })).body.id
  const first = [await create('a'), await create('a')]
  const mixed = [await create('b'), await create('c'), await create('b')]
  expect([mixed[0], mixed[2]]).toEqual(first)
  expect(greenhouse.world('a').seed).toBe(greenhouse.world('b').seed)
})
