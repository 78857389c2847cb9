import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { drain, openSocket } from '../../support/socket.ts'
import { statusesOf, testApi } from '../../support/test-api.ts'

const plant = { body: { id: 5000, name: 'Ficus' } }
const rateLimits = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-request-id', 'retry-after']

testApi(
  'the reply that was switched on last is given until it is spent',
  async ({ world, call }) => {
    world.use('server-error')
    world.use({ respond: [{ status: 418, text: '"I am a teapot"', times: 2 }] })
    expect(await statusesOf(call, ...Array(3).fill('GET /plants'))).toEqual([418, 418, 500])
  },
)

const errors = [
  ['server-error', 500, 'internal_error'],
  ['maintenance', 503, 'internal_error'],
  ['bad-request', 400, 'invalid_request'],
  ['forbidden', 403, 'insufficient_permissions'],
  ['not-found', 404, 'not_found'],
] as const

for (const [scenario, status, code] of errors)
  testApi(
    `${scenario} answers any operation with ${status} and changes nothing`,
    {},
    async (client) => {
      const { world, call, greenhouse } = client
      const before = world.records.plants.all()
      const error = scenario === 'maintenance' ? expect.any(Number) : status
      world.use(scenario)
      for (const { id, method, path } of greenhouse.operations()) {
        const answer = await call(
          method,
          path.replaceAll('{id}', '101').replaceAll(/\{\w+\}/g, 'x'),
        )
        if (id.startsWith('plants.'))
          expect(answer.body, id).toEqual({ error, message: expect.any(String) })
        else {
          const request_id = answer.headers.get('x-request-id')
          expect(answer.body, id).toEqual({
            error: { code, message: expect.any(String), request_id },
          })
          expect(answer.headers.get('x-ratelimit-limit')).toBe('300')
        }
        expect(answer.status, id).toBe(status)
      }
      expect(world.records.plants.all()).toEqual(before)
      expect((await call('GET', '/v1/nowhere')).status, 'what is no operation').toBe(404)
      world.clear()
      expect(
        (await call('GET', '/v1/apps')).headers.get('x-ratelimit-remaining'),
        'it spent nothing',
      ).toBe('299')
    },
  )

testApi('a recorded stream comes in the pieces that the service sent', async ({ world, send }) => {
  const pieces = ['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n']
  const headers = { 'Content-Type': 'text/event-stream' }
  const replies = [{ request: 'GET /v1/apps', key: 'key_pro', status: 200, headers, pieces }]
  world.use({ recorded: [{ replies }] })
  world.clock.freeze()
  const response = await send('/v1/apps', { headers: { authorization: 'Bearer key_pro' } })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader.read()).value).toBe(pieces[0])
  let second: string | undefined
  const reading = reader.read().then(({ value }) => (second = value))
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(second, 'before its time').toBeUndefined()
  world.clock.advance('10ms')
  await reading
  expect(second).toBe(pieces[1])
  await reader.cancel()
  world.use({ fault: [{ kind: 'stream', words_per_second: 0.01 }] })
  const slow = await send('/v1/apps', { headers: { authorization: 'Bearer key_pro' } })
  const first = slow.body!.getReader()
  expect(Buffer.from((await first.read()).value!).toString(), 'at once').toBe(pieces[0])
  await first.cancel()
})

test('a recorded reply has its own phrase, or the usual one of its status', async () => {
  const greenhouse = createGreenhouse()
  await using server = await serve(greenhouse)
  const reply = { request: 'GET /plants', text: '[]' }
  const odd = { ...reply, status: 404, phrase: 'Gone fishing' }
  greenhouse.world().use({ recorded: [{ replies: [{ ...reply, status: 200 }, odd] }] })
  for (const line of ['HTTP/1.1 200 OK', 'HTTP/1.1 404 Gone fishing']) {
    const socket = await openSocket(server.port)
    socket.write('GET /plants HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    expect((await drain(socket)).split('\r\n')[0]).toBe(line)
  }
})

testApi('the mock takes a key that the recorded service took', async ({ world, call }) => {
  const key = 'key-of-service'
  const replies = [
    { request: 'GET /plants', key, status: 200, text: '[]' },
    { request: 'GET /plants', key: 'key-of-nobody', status: 401 },
  ]
  world.use({ recorded: [{ replies }] })
  const { status, body } = await call('GET', '/v1/account', { key })
  expect([status, body.id]).toEqual([200, 'acct_key_of_service'])
  expect((await call('GET', '/v1/account', { key: 'key-of-nobody' })).status).toBe(401)
  expect(world.journal.calls({ path: '/v1/account' }).map(({ account }) => account)).toEqual([
    'acct_key_of_service',
    undefined,
  ])
})

testApi(
  'a request with bytes that are no text finds its recorded reply',
  async ({ world, send }) => {
    const replies = [
      { request: 'POST /plants', key: 'key_pro', sends_base64: '/w==', status: 201, text: 'first' },
      {
        request: 'POST /plants',
        key: 'key_pro',
        sends_base64: '/v8=',
        status: 201,
        text: 'second',
      },
    ]
    world.use({ recorded: [{ replies, others: '404' }] })
    const answerTo = async (...bytes: number[]) => {
      const headers = { authorization: 'Bearer key_pro' }
      const sent = { method: 'POST', headers, body: Uint8Array.from(bytes) }
      return (await send('/plants', sent)).text()
    }
    expect(await answerTo(0xfe, 0xff)).toBe('second')
    expect(await answerTo(0xff)).toBe('first')
    expect(await answerTo(0xfd)).toContain('This request was not recorded.')
    expect(world.journal.calls().at(-1)!.reason).toContain('refused what was not recorded')
  },
)

testApi('server-error can hit some operations and leave the others', async ({ world, call }) => {
  const create = ['POST /v1/apps', { body: { name: 'x' } }] as const
  world.use('server-error', { on: 'plants.*' })
  expect(await statusesOf(call, 'GET /plants', 'GET /v1/apps')).toEqual([500, 200])
  world.use('server-error', { on: 'apps.list' })
  expect(await statusesOf(call, 'GET /plants', 'GET /v1/apps', create)).toEqual([200, 500, 201])
  world.use('server-error', { on: '*.list' })
  expect(await statusesOf(call, 'GET /plants', 'GET /v1/apps', 'DELETE /plants/101')).toEqual([
    500, 500, 204,
  ])
})

testApi('maintenance says how long it takes', async ({ world, call }) => {
  world.use('maintenance')
  const { headers, body } = await call('GET', '/v1/apps')
  expect([headers.get('retry-after'), headers.has('x-request-id')]).toEqual(['120', true])
  expect(body.error.message).toBe('The service is down for maintenance.')
  expect((await call('GET', '/plants')).body.message).toBe('The service is down for maintenance.')
  world.use('maintenance', { 'retry-after': 7 })
  expect((await call('GET', '/v1/apps')).headers.get('retry-after')).toBe('7')
})

testApi('flaky fails so many requests, then all succeed', async ({ world, call }) => {
  world.use('flaky')
  expect(await statusesOf(call, ...Array(4).fill('GET /plants'))).toEqual([500, 500, 200, 200])
})

testApi('a request that flaky fails does nothing, and its retry does', async ({ world, call }) => {
  world.use('flaky', { failures: 1, on: '*.create', error: 'rate_limit_exceeded' })
  const create = () => call('POST', '/v1/apps', { body: { name: 'Once' } })
  expect(await create()).toMatchObject({
    status: 429,
    body: { error: { code: 'rate_limit_exceeded' } },
  })
  expect((await create()).status).toBe(201)
  expect(world.records.apps.all().filter(({ name }) => name === 'Once')).toHaveLength(1)
})

testApi('switching flaky on again starts it over', async ({ world, call }) => {
  for (let round = 0; round < 2; round++) {
    world.use('flaky', { failures: 1 })
    expect((await call('GET', '/plants')).status).toBe(500)
  }
})

testApi('fails-after lets so many requests pass and none after them', async ({ world, call }) => {
  const verdicts = () => world.journal.calls().at(-1)!.verdicts
  world.use('fails-after', { after: 2, on: 'apps.list' })
  expect(await statusesOf(call, 'GET /v1/apps', 'GET /v1/apps')).toEqual([200, 200])
  expect(verdicts()).toMatchObject([{ why: 'the first 2 requests pass, and this is number 2' }])
  expect(await statusesOf(call, 'GET /v1/apps', 'GET /v1/apps')).toEqual([500, 500])
  world.use('fails-after', { after: 0, error: 'internal_error' })
  expect(await call('GET', '/plants')).toMatchObject({ status: 500, body: { error: 500 } })
  world.use('fails-after', { after: 0, error: 'missing_api_key' })
  expect((await call('GET', '/v1/apps')).body.error.code).toBe('missing_api_key')
  world.use('fails-after', { after: 1 })
  expect((await call('GET', '/plants')).status).toBe(200)
  expect(verdicts()).toMatchObject([{ why: 'the first request passes, and this is number 1' }])
})

testApi(
  'every-third-fails fails every third request, which then has done nothing',
  async ({ world, call }) => {
    world.use('every-third-fails', { on: 'plants.create' })
    const ids = [9001, 9002, 9003, 9004, 9005, 9006]
    const creations = ids.map((id) => ['POST /plants', { body: { id, name: 'Fern' } }] as const)
    expect(await statusesOf(call, ...creations)).toEqual([200, 200, 500, 200, 200, 500])
    expect(ids.filter((id) => world.records.plants.get(id))).toEqual([9001, 9002, 9004, 9005])
  },
)

testApi('every-third-fails takes another rhythm and another error', async ({ world, call }) => {
  world.use('every-third-fails', { every: 2, error: 'not_found' })
  expect(await statusesOf(call, 'GET /v1/apps', 'GET /v1/apps')).toEqual([200, 404])
  world.use('every-third-fails', { every: 1 })
  expect((await call('GET', '/v1/apps')).status).toBe(500)
})

const ordinals = { 2: '2nd', 3: '3rd', 4: '4th', 11: '11th', 13: '13th', 21: '21st', 112: '112th' }

for (const [every, ordinal] of Object.entries(ordinals))
  test(`every ${every}: a verdict says "every ${ordinal} request"`, async () => {
    const greenhouse = createGreenhouse()
    const world = greenhouse.world()
    world.use('every-third-fails', { every: Number(every) })
    await greenhouse.fetch(new Request('http://any/plants'))
    expect(world.journal.calls()[0]!.verdicts).toMatchObject([
      { fired: false, why: `it acts on every ${ordinal} request, and this is number 1` },
    ])
  })

testApi('a probability of 1 fails all that is meant, one of 0 none', async ({ world, call }) => {
  world.use('random-failures', { probability: 1, on: 'apps.*', error: 'not_found' })
  expect(await statusesOf(call, 'GET /v1/apps', 'GET /plants')).toEqual([404, 200])
  world.use('random-failures', { probability: 0 })
  expect(new Set(await statusesOf(call, ...Array(5).fill('GET /v1/apps')))).toEqual(new Set([200]))
  expect(() => world.use('random-failures', { probability: 1.5 })).toThrow(/probability/)
})

testApi('error-without-body is a status and nothing to read', async ({ world, call }) => {
  world.use('error-without-body')
  const { status, text, headers } = await call('POST', '/plants', plant)
  expect([status, text, headers.has('content-type')]).toEqual([500, '', false])
  expect(world.records.plants.get(5000)).toBeUndefined()
  for (const status of [401, 404, 429, 503]) {
    world.use('error-without-body', { status })
    expect(await call('GET', '/v1/apps')).toMatchObject({ status, text: '' })
  }
})

const get = { headers: { authorization: 'Bearer key_pro' } }

testApi(
  'malformed-error-body has any of its shapes but the stated ones',
  {},
  async ({ greenhouse, world, send }) => {
    const shapes = greenhouse.scenarios().find(({ name }) => name === 'malformed-error-body')!
      .options['body']!.values!
    expect(shapes.length).toBeGreaterThan(5)
    for (const body of shapes) {
      world.use('malformed-error-body', { body: body as never })
      for (const path of ['/plants', '/v1/apps']) {
        const response = await send(path, get)
        expect([response.status, response.headers.get('content-type')]).toEqual([
          500,
          'application/json',
        ])
        expect(await response.text()).toBe(body)
      }
    }
    world.use('malformed-error-body', { status: 403 })
    const response = await send('/v1/apps', get)
    expect([response.status, await response.text()]).toEqual([403, '{"error":'])
  },
)

testApi(
  "a proxy's error page is HTML with none of the service's headers",
  async ({ world, send }) => {
    world.use('proxy-error-page')
    const response = await send('/v1/apps', get)
    const { headers } = response
    expect([response.status, headers.get('content-type'), headers.get('server')]).toEqual([
      502,
      'text/html',
      'nginx',
    ])
    expect(await response.text()).toContain('<h1>502</h1>')
    expect(rateLimits.filter((name) => headers.has(name))).toEqual([])
    expect(headers.get('x-greenhouse')).toMatch(
      /; operation=apps\.list; scenario=proxy-error-page$/,
    )
    for (const status of [503, 504] as const) {
      world.use('proxy-error-page', { status })
      expect((await send('/plants', get)).status).toBe(status)
    }
    const message = /expected one of 502, 503, 504, received 418/
    expect(() => world.use('proxy-error-page', { status: 418 as never })).toThrow(message)
  },
)

testApi(
  'a captive portal answers 200 with a page, and nothing is done',
  async ({ world, send }) => {
    world.use('captive-portal')
    const response = await send('/plants/101', { ...get, method: 'DELETE' })
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ])
    expect(response.headers.has('x-ratelimit-limit')).toBe(false)
    expect(await response.text()).toMatch(/^<!doctype html>/)
    expect(world.records.plants.get(101)).toBeDefined()
  },
)
