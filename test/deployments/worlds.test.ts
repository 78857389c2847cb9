import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { deployed } from './deploy.ts'

testApi('after a reset nothing comes of what was there before', async ({ call, world }) => {
  const before = world.records.deployments.count()
  const { verify, id } = await deployed(call)
  await verify()
  world.reset()
  world.clock.advance('100h')
  await world.settled()
  expect(world.records.deployments.get(id)).toBeUndefined()
  expect(world.records.deployments.count()).toBe(before)
})

testApi(
  'a snapshot of a deployment that waits for its certificate waits on when it is restored',
  async ({ call, world }) => {
    const { verify, look } = await deployed(call)
    await verify()
    world.snapshot('issuing')
    world.clock.advance('30s')
    expect((await look()).state).toBe('live')
    world.restore('issuing')
    expect((await look()).state).toBe('issuing_certificate')
    world.clock.advance('30s')
    expect((await look()).state).toBe('live')
  },
)

testApi('an Idempotency-Key makes one deployment of two requests', async ({ call, world }) => {
  const path = '/v1/apps/app_w33c4cwmhfyfktiv/deployments'
  const options = { body: { domain: 'chat.example.com' }, headers: { 'idempotency-key': 'once' } }
  const before = world.records.deployments.count()
  const first = await call('POST', path, options)
  const second = await call('POST', path, options)
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.body).toEqual(first.body)
  expect(world.records.deployments.count()).toBe(before + 1)
})
