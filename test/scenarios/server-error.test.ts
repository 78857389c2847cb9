import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

testApi("server-error answers every operation with 500 in its area's error shape", async ({ world, call }) => {
  world.use('server-error')
  for (const [method, path] of [
    ['GET', '/plants'],
    ['POST', '/plants'],
    ['DELETE', '/plants/1'],
  ] as const)
    expect(await call(method, path)).toMatchObject({ status: 500, body: { error: 500, message: expect.any(String) } })
  for (const [method, path] of [
    ['GET', '/v1/apps'],
    ['POST', '/v1/apps'],
    ['DELETE', '/v1/apps/app_1'],
  ] as const) {
    const { status, body, headers } = await call(method, path)
    expect(status).toBe(500)
    expect(body).toEqual({
      error: { code: 'internal_error', message: expect.any(String), request_id: headers.get('x-request-id') },
    })
    expect(headers.get('x-ratelimit-limit')).toBe('300')
  }
})

testApi('server-error changes nothing and spends nothing', async ({ world, call }) => {
  const before = world.records.plants.all()
  world.use('server-error')
  await call('POST', '/plants', { body: { id: 5000, name: 'Ficus' } })
  await call('DELETE', '/plants/101')
  await call('GET', '/v1/apps')
  expect(world.records.plants.all()).toEqual(before)
  world.clear()
  expect((await call('GET', '/v1/apps')).headers.get('x-ratelimit-remaining')).toBe('299')
})

testApi('server-error can hit some operations and leave the others', async ({ world, call }) => {
  world.use('server-error', { on: 'plants.*' })
  expect([(await call('GET', '/plants')).status, (await call('GET', '/v1/apps')).status]).toEqual([500, 200])
  world.use('server-error', { on: 'apps.list' })
  expect([
    (await call('GET', '/plants')).status,
    (await call('GET', '/v1/apps')).status,
    (await call('POST', '/v1/apps', { body: { name: 'x' } })).status,
  ]).toEqual([200, 500, 201])
  world.use('server-error', { on: '*.list' })
  expect([
    (await call('GET', '/plants')).status,
    (await call('GET', '/v1/apps')).status,
    (await call('DELETE', '/plants/101')).status,
  ]).toEqual([500, 500, 204])
})

testApi('what is no operation stays a 404', async ({ world, call }) => {
  world.use('server-error')
  expect((await call('GET', '/v1/nowhere')).status).toBe(404)
})
