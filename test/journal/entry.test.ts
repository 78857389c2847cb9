import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

testApi('an entry records the whole request and its reply', {}, async ({ world, call }) => {
  const answer = await call('POST', '/plants?trial=1', {
    body: { id: 9_001, name: 'Ömür', tag: 'x' },
    headers: { 'x-own': 'value' },
  })
  expect(world.journal.calls()).toEqual([
    {
      id: 1,
      at: '2026-03-01T12:00:30.000Z',
      operation: 'plants.create',
      world: 'default',
      account: 'acct_pro',
      request: {
        method: 'POST',
        url: '/plants?trial=1',
        headers: expect.objectContaining({ 'content-type': 'application/json', 'x-own': 'value' }),
        body: '{"id":9001,"name":"Ömür","tag":"x"}',
      },
      response: {
        status: 200,
        headers: expect.objectContaining({ 'Content-Type': 'application/json' }),
        body: answer.text,
      },
      bytes: new TextEncoder().encode(answer.text).length,
      scenarios: [],
      violations: [{ rule: 'unknown-query', message: '"trial" is not a query parameter of this operation.' }],
      assumptions: expect.arrayContaining(['plants.create.id-range', 'plants.body.includes-id']),
      ms: expect.any(Number),
    },
  ])
})

testApi('a reply without a body has none in the journal', async ({ world, call }) => {
  await call('DELETE', '/plants/101')
  await call('HEAD', '/plants')
  const entries = world.journal.calls()
  expect(entries.map(({ request, response }) => [request.body || undefined, response.status, response.body])).toEqual([
    [undefined, 204, undefined],
    [undefined, 200, undefined],
  ])
})

testApi('refused requests are there, too, each with its operation', async ({ world, call }) => {
  await call('GET', '/v1/apps', { key: null })
  await call('POST', '/plants', { body: '{' })
  await call('DELETE', '/v1/apps/app_none')
  await call('GET', '/v1/nothing/at/all')
  expect(world.journal.calls().map(({ operation, response }) => [operation, response.status])).toEqual([
    ['apps.list', 401],
    ['plants.create', 400],
    ['apps.delete', 404],
    [undefined, 404],
  ])
})

testApi('ids count up from 1, and go on after a clear', async ({ world, call }) => {
  for (let count = 0; count < 3; count++) await call('GET', '/plants')
  expect(world.journal.calls().map(({ id }) => id)).toEqual([1, 2, 3])
  world.journal.clear()
  expect(world.journal.calls()).toEqual([])
  await call('GET', '/plants')
  expect(world.journal.calls().map(({ id }) => id)).toEqual([4])
})

testApi('the time is that of the world', async ({ world, call }) => {
  await call('GET', '/plants')
  world.clock.advance('1h')
  await call('GET', '/plants')
  world.clock.set('2030-05-06T07:08:09.010Z')
  await call('GET', '/plants')
  expect(world.journal.calls().map(({ at }) => at)).toEqual([
    '2026-03-01T12:00:30.000Z',
    '2026-03-01T13:00:30.000Z',
    '2030-05-06T07:08:09.010Z',
  ])
})

testApi('each scenario and assumption that shaped a reply is named once', async ({ world, call }) => {
  world.use('rate-limited-plan', { remaining: 5 })
  world.use('server-error', { on: 'plants.*' })
  await call('GET', '/v1/apps')
  await call('GET', '/plants')
  const [apps, plants] = world.journal.calls()
  expect(apps!.scenarios).toEqual(['rate-limited-plan'])
  expect(plants!.scenarios, 'the error carries the headers of the limit').toEqual(['rate-limited-plan', 'server-error'])
  expect(apps!.assumptions).toEqual(expect.arrayContaining(['rate-limit.window', 'apps.list.shape']))
  expect(apps!.assumptions).not.toContain('plants.list.order')
  for (const { assumptions } of [apps!, plants!]) expect(new Set(assumptions).size).toBe(assumptions.length)
})

testApi('what was read is a copy', async ({ world, call }) => {
  await call('GET', '/plants')
  const [entry] = world.journal.calls()
  entry!.request.headers['authorization'] = 'changed'
  entry!.response.headers['Content-Type'] = 'changed'
  entry!.scenarios.push('changed')
  entry!.assumptions.length = 0
  const [again] = world.journal.calls()
  expect(again).not.toEqual(entry)
  expect(JSON.stringify(again)).not.toContain('changed')
})

testApi('a key is a fingerprint only, whatever is wrong with the request', {}, async ({ world, call, greenhouse }) => {
  const secret = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc'
  await call('GET', '/v1/apps', { key: secret })
  await call('GET', '/plants', { key: secret })
  await call('GET', '/v1/nothing', { key: secret })
  await call('GET', '/v1/apps', { key: null, headers: { authorization: `Basic ${secret}` } })
  await call('GET', '/v1/apps', { key: null, headers: { authorization: secret } })
  await call('GET', '/v1/apps', { key: `${secret}@checkout` })
  await call('GET', '/v1/apps', {
    headers: { 'x-api-key': secret, cookie: `session=${secret}`, 'proxy-authorization': secret },
  })
  world.use('server-error')
  await call('GET', '/v1/apps', { key: secret })
  const entries = [...world.journal.calls(), ...greenhouse.world('checkout').journal.calls()]
  expect(entries).toHaveLength(8)
  expect(JSON.stringify(entries)).not.toContain(secret.slice(8))
})

testApi('the same key has the same fingerprint, another key another', async ({ world, call }) => {
  for (const key of ['key_pro', 'key_free', 'key_pro']) await call('GET', '/plants', { key })
  const [first, other, again] = world.journal.calls().map(({ request }) => request.headers['authorization'])
  expect(first).toMatch(/^Bearer /)
  expect(again).toBe(first)
  expect(other).not.toBe(first)
})
