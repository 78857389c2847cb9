import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { deployed } from './deploy.ts'

testApi('a deleted deployment is gone, and what was to come of it does not come', async ({ call, world }) => {
  const waiting = await deployed(call, 'a.example.com')
  const issuing = await deployed(call, 'b.example.com')
  await issuing.verify()
  for (const { path } of [waiting, issuing]) {
    const { status, text } = await call('DELETE', path)
    expect([status, text]).toEqual([204, ''])
    expect((await call('GET', path)).status).toBe(404)
    expect((await call('POST', `${path}/verify`)).status).toBe(404)
    expect((await call('DELETE', path)).status).toBe(404)
  }
  world.clock.advance('100h')
  await world.settled()
  expect(world.records.deployments.find(({ id }) => [waiting.id, issuing.id].includes(id))).toEqual([])
})

testApi('with apps.delete.status=200 a deletion is answered with 200', async ({ call, world }) => {
  const { path } = await deployed(call)
  world.assume('apps.delete.status', '200')
  expect((await call('DELETE', path)).status).toBe(200)
})
