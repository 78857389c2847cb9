import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi('empty-store has nothing, keeps what is created, and gives the stored ones back', async ({ world, call }) => {
  const before = [(await call('GET', '/plants')).text, (await call('GET', '/v1/apps')).text]
  world.use('empty-store')
  expect((await call('GET', '/plants')).body).toEqual([])
  expect((await call('GET', '/v1/apps')).body).toEqual({ data: [], has_more: false, next_cursor: null })
  expect((await call('DELETE', '/plants/101')).status).toBe(404)
  expect((await call('POST', '/plants', { body: { id: 101, name: 'First' } })).status).toBe(200)
  expect((await call('POST', '/v1/apps', { body: { name: 'first' } })).status).toBe(201)
  expect((await call('GET', '/plants')).body).toEqual([{ name: 'First' }])
  expect((await call('GET', '/v1/apps')).body.data).toMatchObject([{ name: 'first' }])
  world.clear()
  expect([(await call('GET', '/plants')).text, (await call('GET', '/v1/apps')).text]).toEqual(before)
})

testApi('a client that names empty-store in every request has a separate store', async ({ call }) => {
  const headers = { 'x-greenhouse-scenario': 'empty-store' }
  await call('POST', '/plants', { body: { id: 101, name: 'First' }, headers })
  expect((await call('GET', '/plants', { headers })).body).toEqual([{ name: 'First' }])
  expect((await call('GET', '/plants')).body.length).toBeGreaterThan(1)
})
