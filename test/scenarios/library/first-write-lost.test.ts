import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi(
  'the first create is done but gets no reply; a retry with its Idempotency-Key finds it',
  {},
  async ({ world, call }) => {
    world.use('first-write-lost')
    const create = () => call('POST', '/v1/apps', { body: { name: 'Once' }, headers: { 'idempotency-key': 'one' } })
    await expect(create()).rejects.toBeInstanceOf(TypeError)
    const made = world.records.apps.all().filter(({ name }) => name === 'Once')
    expect(made).toHaveLength(1)
    expect(await create()).toMatchObject({ status: 201, body: { id: made[0]!.id } })
    expect(world.records.apps.all().filter(({ name }) => name === 'Once')).toHaveLength(1)
  },
)

testApi('with the request lost, nothing was done and a retry does it', {}, async ({ world, call }) => {
  world.use('first-write-lost', { loses: 'request', times: 2, on: 'apps.create' })
  const create = () => call('POST', '/v1/apps', { body: { name: 'Once' } })
  await expect(create()).rejects.toBeInstanceOf(TypeError)
  await expect(create()).rejects.toBeInstanceOf(TypeError)
  expect(world.records.apps.all().filter(({ name }) => name === 'Once')).toEqual([])
  expect((await create()).status).toBe(201)
})

testApi('once cleared, the first write arrives', {}, async ({ world, call }) => {
  world.use('first-write-lost')
  expect((await call('GET', '/v1/apps')).status).toBe(200)
  world.clear()
  expect((await call('POST', '/v1/apps', { body: { name: 'Fine' } })).status).toBe(201)
})
