import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { statusesOf } from '../../support/statuses.ts'
import { testApi } from '../../support/test-api.ts'

testApi('of several replies due, the one switched on last is given until it is spent', async ({ world, call }) => {
  world.use('server-error')
  world.use({ respond: [{ status: 418, text: '"I am a teapot"', times: 2 }] })
  expect(await statusesOf(call, ...Array(3).fill('GET /plants'))).toEqual([418, 418, 500])
})

testApi('a reply from in front of the service carries none of its headers', {}, async ({ world, send }) => {
  world.use({
    respond: [{ status: 502, text: '<h1>Bad gateway</h1>', headers: { 'Content-Type': 'text/html' }, in_front: true }],
  })
  const response = await send('/v1/apps', { headers: { authorization: 'Bearer key_pro' } })
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    502,
    'text/html',
    '<h1>Bad gateway</h1>',
  ])
  expect(['x-ratelimit-limit', 'x-request-id'].map((name) => response.headers.get(name))).toEqual([null, null])
  expect(response.headers.get('x-greenhouse')).toBe('world=default; operation=apps.list; scenario=inline-1')
})

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
  expect(await statusesOf(call, 'GET /plants', 'GET /v1/apps')).toEqual([500, 200])
  world.use('server-error', { on: 'apps.list' })
  expect(await statusesOf(call, 'GET /plants', 'GET /v1/apps', ['POST /v1/apps', { body: { name: 'x' } }])).toEqual([
    200, 500, 201,
  ])
  world.use('server-error', { on: '*.list' })
  expect(await statusesOf(call, 'GET /plants', 'GET /v1/apps', 'DELETE /plants/101')).toEqual([500, 500, 204])
})

testApi('what is no operation stays a 404', async ({ world, call }) => {
  world.use('server-error')
  expect((await call('GET', '/v1/nowhere')).status).toBe(404)
})

for (const [every, ordinal] of [
  [2, '2nd'],
  [3, '3rd'],
  [4, '4th'],
  [11, '11th'],
  [13, '13th'],
  [21, '21st'],
  [112, '112th'],
] as const)
  test(`every ${every}: a verdict says "every ${ordinal} request"`, async () => {
    const greenhouse = createGreenhouse()
    const world = greenhouse.world()
    world.use('every-third-fails', { every })
    await greenhouse.fetch(new Request('http://any/plants'))
    expect(world.journal.calls()[0]!.verdicts).toMatchObject([
      { fired: false, why: `it acts on every ${ordinal} request, and this is number 1` },
    ])
  })

const refusals = [
  ['bad-request', 400, 'invalid_request'],
  ['forbidden', 403, 'insufficient_permissions'],
  ['not-found', 404, 'not_found'],
] as const

for (const [scenario, status, code] of refusals)
  testApi(
    `${scenario} answers any operation with ${status} and changes nothing`,
    {},
    async ({ world, call, greenhouse }) => {
      const before = world.records.plants.count()
      world.use(scenario)
      for (const [method, path] of [
        ['GET', '/plants'],
        ['POST', '/plants'],
        ['DELETE', '/plants/101'],
      ] as const)
        expect(await call(method, path), path).toMatchObject({
          status,
          body: { error: status, message: expect.any(String) },
        })
      for (const { id, method, path } of greenhouse.operations().filter(({ path }) => path.startsWith('/v1')))
        expect(await call(method, path.replaceAll(/\{\w+\}/g, 'x')), id).toMatchObject({
          status,
          body: { error: { code } },
        })
      expect(world.records.plants.count()).toBe(before)
      world.use(scenario, { on: 'apps.list' })
      expect(await statusesOf(call, 'GET /plants', 'GET /v1/apps')).toEqual([200, status])
      world.clear()
      expect((await call('GET', '/v1/apps')).status).toBe(200)
    },
  )

testApi("maintenance is a 503 with Retry-After in each area's shape, and nothing is done", async ({ world, call }) => {
  const before = world.records.plants.all()
  world.use('maintenance')
  expect(await call('DELETE', '/plants/101')).toMatchObject({
    status: 503,
    body: { error: expect.any(Number), message: 'The service is down for maintenance.' },
  })
  const { status, headers, body } = await call('GET', '/v1/apps')
  expect([status, headers.get('retry-after'), headers.has('x-request-id')]).toEqual([503, '120', true])
  expect(body.error).toMatchObject({ code: 'internal_error', message: 'The service is down for maintenance.' })
  expect(world.records.plants.all()).toEqual(before)
})

testApi('maintenance takes as long as it says, where it says', async ({ world, call }) => {
  world.use('maintenance', { 'retry-after': 7, on: 'apps.*' })
  expect((await call('GET', '/v1/apps')).headers.get('retry-after')).toBe('7')
  expect((await call('GET', '/plants')).status).toBe(200)
  world.clear()
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})

testApi('flaky fails so many requests, then all succeed', async ({ world, call }) => {
  world.use('flaky')
  expect(await statusesOf(call, ...Array(4).fill('GET /plants'))).toEqual([500, 500, 200, 200])
})

testApi('a request that flaky fails does nothing, and its retry does', async ({ world, call }) => {
  world.use('flaky', { failures: 1, on: '*.create', error: 'rate_limit_exceeded' })
  const create = () => call('POST', '/v1/apps', { body: { name: 'Once' } })
  expect(await create()).toMatchObject({ status: 429, body: { error: { code: 'rate_limit_exceeded' } } })
  expect((await call('GET', '/v1/apps')).status).toBe(200)
  expect((await create()).status).toBe(201)
  expect(world.records.apps.all().filter(({ name }) => name === 'Once')).toHaveLength(1)
})

testApi('switching flaky on again starts it over, and clearing it ends it', async ({ world, call }) => {
  world.use('flaky', { failures: 1 })
  await call('GET', '/plants')
  world.use('flaky', { failures: 1 })
  expect((await call('GET', '/plants')).status).toBe(500)
  world.use('flaky', { failures: 1 })
  world.clear()
  expect((await call('GET', '/plants')).status).toBe(200)
})

testApi('a client that names flaky with every retry sees it recover', async ({ call }) => {
  expect(
    await statusesOf(
      call,
      ...Array(3).fill(['GET /plants', { headers: { 'x-greenhouse-scenario': 'flaky:failures=2' } }]),
    ),
  ).toEqual([500, 500, 200])
})

testApi('fails-after lets so many requests pass and none after them until it is cleared', async ({ world, call }) => {
  world.use('fails-after', { after: 2, on: 'apps.list' })
  expect(await statusesOf(call, ...Array(4).fill('GET /v1/apps'))).toEqual([200, 200, 500, 500])
  expect(world.journal.calls()[1]!.verdicts).toMatchObject([{ why: 'the first 2 requests pass, and this is number 2' }])
  expect((await call('GET', '/plants')).status).toBe(200)
  world.clear()
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})

testApi('fails-after with 0 fails at once, with the error that is asked for', async ({ world, call }) => {
  world.use('fails-after', { after: 0, error: 'internal_error' })
  expect(await call('GET', '/plants')).toMatchObject({ status: 500, body: { error: 500 } })
  world.use('fails-after', { after: 0, error: 'missing_api_key' })
  expect((await call('GET', '/v1/apps')).body.error.code).toBe('missing_api_key')
  world.clear()
  world.use('fails-after', { after: 1 })
  expect((await call('GET', '/plants')).status).toBe(200)
  expect(world.journal.calls().at(-1)!.verdicts).toMatchObject([
    { why: 'the first request passes, and this is number 1' },
  ])
})

testApi('every-third-fails fails every third request, which then has done nothing', async ({ world, call }) => {
  world.use('every-third-fails', { on: 'plants.create' })
  const statuses: number[] = []
  for (let id = 9001; id <= 9006; id++)
    statuses.push((await call('POST', '/plants', { body: { id, name: 'Fern' } })).status)
  expect(statuses).toEqual([201, 201, 500, 201, 201, 500].map((status) => (status === 201 ? statuses[0] : status)))
  expect([9001, 9002, 9003, 9004, 9005, 9006].filter((id) => world.records.plants.get(id))).toEqual([
    9001, 9002, 9004, 9005,
  ])
})

testApi('every-third-fails takes another rhythm and another error', async ({ world, call }) => {
  world.use('every-third-fails', { every: 2, error: 'not_found' })
  expect(await statusesOf(call, 'GET /v1/apps', 'GET /v1/apps')).toEqual([200, 404])
  world.use('every-third-fails', { every: 1 })
  expect((await call('GET', '/v1/apps')).status).toBe(500)
  world.clear('every-third-fails')
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})

testApi('random-failures fails the same requests for the same seed', {}, async ({ greenhouse, world, call }) => {
  const play = async () => {
    world.reset()
    world.use('random-failures', { probability: 0.5 })
    const statuses: number[] = []
    for (let round = 0; round < 20; round++) statuses.push((await call('GET', '/plants')).status)
    return statuses
  }
  const first = await play()
  expect(new Set(first)).toEqual(new Set([200, 500]))
  expect(await play()).toEqual(first)
  world.reset({ seed: 2 })
  world.use('random-failures', { probability: 0.5 })
  const other = []
  for (let round = 0; round < 20; round++) other.push((await call('GET', '/plants')).status)
  expect(other).not.toEqual(first)
  expect(greenhouse.world().scenarios).toEqual(['random-failures'])
})

testApi('a probability of 1 fails all that is meant, one of 0 none', async ({ world, call }) => {
  world.use('random-failures', { probability: 1, on: 'apps.*', error: 'not_found' })
  expect(await statusesOf(call, 'GET /v1/apps', 'GET /plants')).toEqual([404, 200])
  world.use('random-failures', { probability: 0 })
  for (let round = 0; round < 5; round++) expect((await call('GET', '/v1/apps')).status).toBe(200)
  expect(() => world.use('random-failures', { probability: 1.5 })).toThrow(/probability/)
})

testApi('error-without-body is a status and nothing to read', async ({ world, call }) => {
  world.use('error-without-body', { on: 'plants.*' })
  const { status, text, headers } = await call('DELETE', '/plants/101')
  expect([status, text, headers.has('content-type')]).toEqual([500, '', false])
  expect(world.records.plants.get(101)).toBeDefined()
  expect((await call('GET', '/v1/apps')).status).toBe(200)
  for (const status of [401, 404, 429, 503]) {
    world.use('error-without-body', { status })
    expect(await call('GET', '/v1/apps')).toMatchObject({ status, text: '' })
  }
  world.clear()
  expect((await call('GET', '/plants')).status).toBe(200)
})

const get = { headers: { authorization: 'Bearer key_pro' } }

testApi('malformed-error-body has any of its shapes but the stated ones', {}, async ({ greenhouse, world, send }) => {
  const shapes = greenhouse.scenarios().find(({ name }) => name === 'malformed-error-body')!.options['body']!.values!
  expect(shapes.length).toBeGreaterThan(5)
  for (const body of shapes) {
    world.use('malformed-error-body', { body: body as never })
    for (const path of ['/plants', '/v1/apps']) {
      const response = await send(path, get)
      expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
        500,
        'application/json',
        body,
      ])
    }
  }
})

testApi('malformed-error-body breaks off by default, and can have another status', async ({ world, send, call }) => {
  world.use('malformed-error-body', { status: 403, on: 'apps.*' })
  const response = await send('/v1/apps', get)
  expect([response.status, await response.text()]).toEqual([403, '{"error":'])
  expect((await call('GET', '/plants')).status).toBe(200)
  world.clear()
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})

testApi("a proxy's error page is HTML with none of the service's headers", async ({ world, send, call }) => {
  world.use('proxy-error-page', { on: 'apps.*' })
  const { status, headers, ...rest } = await send('/v1/apps', get).then(async (response) => ({
    status: response.status,
    headers: response.headers,
    text: await response.text(),
  }))
  expect([status, headers.get('content-type'), headers.get('server')]).toEqual([502, 'text/html', 'nginx'])
  expect(rest.text).toContain('<h1>502</h1>')
  for (const name of ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'retry-after'])
    expect(headers.has(name), name).toBe(false)
  expect((await call('GET', '/plants')).status).toBe(200)
})

testApi('a proxy says one of the statuses that proxies say', async ({ world, send, call }) => {
  for (const status of [503, 504]) {
    world.use('proxy-error-page', { status: status as never })
    expect((await send('/plants', get)).status).toBe(status)
  }
  expect(() => world.use('proxy-error-page', { status: 418 as never })).toThrow(
    /takes one of 502, 503, 504; 418 was given/,
  )
  world.clear()
  expect((await call('GET', '/plants')).status).toBe(200)
})

testApi('a captive portal answers 200 with a page, and nothing is done', async ({ world, send, call }) => {
  world.use('captive-portal')
  const response = await send('/plants/101', { method: 'DELETE', headers: { authorization: 'Bearer key_pro' } })
  expect([response.status, response.headers.get('content-type'), response.headers.has('x-ratelimit-limit')]).toEqual([
    200,
    'text/html; charset=utf-8',
    false,
  ])
  expect(await response.text()).toMatch(/^<!doctype html>/)
  expect(world.records.plants.get(101)).toBeDefined()
  world.use('captive-portal', { on: 'apps.*' })
  expect((await call('GET', '/plants')).headers.get('content-type')).toBe('application/json')
  world.clear()
  expect((await call('GET', '/v1/apps')).body.data).toBeDefined()
})
