import { expect } from 'vitest'
import { type CallOptions, start, testApi } from '../support/test-api.ts'

const app = '/v1/apps/app_w33c4cwmhfyfktiv'
const headers = { 'idempotency-key': 'first' }

const under = (scenario: string): CallOptions => ({
  headers: { 'x-greenhouse-scenario': scenario },
})

/** Every code of Area B's errors and a request that gets it. */
const errors: [
  status: number,
  code: string,
  method: string,
  path: string,
  options?: CallOptions,
][] = [
  [400, 'invalid_request', 'POST', '/v1/apps', { body: {} }],
  [400, 'invalid_request', 'GET', '/v1/apps?limit=0'],
  [400, 'idempotency_key_reused', 'POST', '/v1/apps', { body: { name: 'another' }, headers }],
  [401, 'missing_api_key', 'GET', '/v1/apps', { key: null }],
  [401, 'invalid_api_key', 'GET', '/v1/apps', { key: 'key_unknown' }],
  [401, 'invalid_api_key', 'GET', '/v1/apps', { key: 'key_expired' }],
  [401, 'invalid_api_key', 'GET', '/v1/apps', { key: 'key_revoked' }],
  [403, 'insufficient_permissions', 'DELETE', app, { key: 'key_readonly' }],
  [404, 'not_found', 'GET', '/v1/apps/app_aaaaaaaaaaaaaaaa'],
  [404, 'not_found', 'GET', '/v1/unknown'],
  [404, 'not_found', 'PUT', app, { body: { name: 'x' } }],
  [429, 'rate_limit_exceeded', 'GET', '/v1/apps', under('rate-limited-plan')],
  [500, 'internal_error', 'GET', '/v1/apps', under('server-error')],
]

testApi(
  'every error has its status, code, message and request id alone',
  {},
  async ({ call, greenhouse }) => {
    await call('POST', '/v1/apps', { body: { name: 'x' }, headers })
    for (const [status, code, method, path, options] of errors) {
      const answer = await call(method, path, options)
      expect(answer.status, `${method} ${path}`).toBe(status)
      expect(answer.body).toEqual({
        error: {
          code,
          message: expect.stringMatching(/\S/),
          request_id: answer.headers.get('x-request-id'),
        },
      })
      expect(answer.headers.get('content-type')).toBe('application/json')
    }
    expect(new Set(errors.map(([status]) => status))).toEqual(
      new Set([400, 401, 403, 404, 429, 500]),
    )
    expect(greenhouse.assumptions().find(({ id }) => id === 'errors.codes')!.values).toEqual([
      'snake-case',
    ])
  },
)

testApi(
  'the earlier step decides between two errors: path, key, limit, scope, body, object',
  async ({ call, world }) => {
    const wrong = { body: '{', headers: { 'content-type': 'text/plain' } }
    expect((await call('PUT', '/v1/apps', { key: null, ...wrong })).status).toBe(404)
    expect((await call('POST', '/v1/apps', { key: 'key_revoked', ...wrong })).status).toBe(401)
    world.use('rate-limited-plan', { plan: 'any' })
    expect((await call('POST', '/v1/apps', { key: 'key_readonly', ...wrong })).status).toBe(429)
    world.clear()
    expect((await call('POST', '/v1/apps', { key: 'key_readonly', ...wrong })).status).toBe(403)
    expect((await call('POST', '/v1/apps', wrong)).status).toBe(400)
    expect((await call('PATCH', '/v1/apps/app_aaaaaaaaaaaaaaaa', wrong)).status).toBe(400)
  },
)

const shape = /^req_[a-z2-7]{16}$/

testApi('every request has a unique id, on successes and errors alike', async ({ call }) => {
  const ids = new Set<string>()
  for (let count = 0; count < 5; count++) {
    const denied = await call('GET', '/v1/apps', { key: null })
    const answers = [await call('GET', '/v1/apps'), await call('GET', '/v1/unknown'), denied]
    for (const { headers } of answers) ids.add(headers.get('x-request-id')!)
    for (const { headers, body } of answers.slice(1))
      expect(body.error.request_id).toBe(headers.get('x-request-id'))
  }
  expect(ids.size).toBe(15)
  for (const id of ids) expect(id).toMatch(shape)
})

testApi('the id is ours, whatever X-Request-Id the client sends', async ({ call }) => {
  const { headers, body } = await call('GET', '/v1/unknown', {
    headers: { 'x-request-id': 'mine' },
  })
  expect(headers.get('x-request-id')).toMatch(shape)
  expect(body.error.request_id).toBe(headers.get('x-request-id'))
})

testApi(
  'with errors.request-id-header=absent the id is in the error alone',
  async ({ call, world }) => {
    world.assume('errors.request-id-header', 'absent')
    expect((await call('GET', '/v1/apps')).headers.has('x-request-id')).toBe(false)
    const { headers, body } = await call('GET', '/v1/unknown')
    expect(headers.has('x-request-id')).toBe(false)
    expect(body.error.request_id).toMatch(shape)
  },
)

const at = (time: string | number) => new Date(time).toUTCString()

testApi("Date is the world's time", async ({ call, world }) => {
  for (const path of ['/plants', '/v1/apps', '/v1/nowhere', '/plants/x'])
    expect((await call('GET', path)).headers.get('date'), path).toBe(at(start))
  expect((await call('GET', '/v1/apps', { key: null })).headers.get('date')).toBe(at(start))
  world.clock.advance('400d')
  expect((await call('GET', '/plants')).headers.get('date')).toBe(at(world.clock.now()))
  world.use('maintenance')
  expect((await call('GET', '/plants')).headers.get('date')).toBe(at(world.clock.now()))
})

testApi("with http.date=machine it is the machine's time", async ({ call, world }) => {
  world.assume('http.date', 'machine')
  const before = Math.floor(Date.now() / 1_000) * 1_000
  const date = Date.parse((await call('GET', '/plants')).headers.get('date')!)
  expect(date).toBeGreaterThanOrEqual(before)
  expect(date).toBeLessThanOrEqual(Date.now())
})

testApi('with http.date=absent there is none', async ({ call, world }) => {
  world.assume('http.date', 'absent')
  const { headers } = await call('GET', '/plants')
  expect([...headers.keys()]).toContain('content-type')
  expect(headers.has('date')).toBe(false)
  world.use({ name: 'clock-skew', by: '1h' })
  expect((await call('GET', '/plants')).headers.has('date')).toBe(false)
})

testApi('clock-skew moves it from where it is', async ({ call, world }) => {
  world.use({ name: 'clock-skew', by: '1h' })
  expect((await call('GET', '/plants')).headers.get('date')).toBe(at(Date.parse(start) + 3_600_000))
})

testApi(
  'it shapes every reply, so no reply names it among what it depended on',
  async ({ call, world }) => {
    await call('GET', '/v1/apps')
    const [entry] = world.journal.calls()
    expect(entry!.assumptions).toContain('apps.list.shape')
    expect(entry!.assumptions).not.toContain('http.date')
  },
)

testApi(
  "a reply that no world gives has the time of the world 'default'",
  {},
  async ({ send, world }) => {
    world.clock.advance('400d')
    const response = await send('/plants', { headers: { 'X-Greenhouse-World': '-no?' } })
    expect(response.status).toBe(400)
    expect(response.headers.get('date')).toBe(at(world.clock.now()))
  },
)

testApi('HEAD is answered as GET would be, without the body', async ({ call }) => {
  const inApps = ['/v1/apps', app, '/v1/apps?limit=0', '/v1/apps/app_aaaaaaaaaaaaaaaa']
  for (const path of [...inApps, '/plants', '/plants?limit=ten', '/plants/101/leaves']) {
    const got = await call('GET', path)
    const head = await call('HEAD', path)
    expect(head.status, path).toBe(got.status)
    expect(head.text).toBe('')
    expect(head.headers.get('content-type')).toBe(got.headers.get('content-type'))
  }
})

testApi('with http.head=404 HEAD is 404, and spends nothing', async ({ call, world }) => {
  world.assume('http.head', '404')
  const { status, headers } = await call('HEAD', '/v1/apps')
  expect(status).toBe(404)
  expect(headers.get('x-ratelimit-remaining')).toBe('300')
})

testApi(
  'a path whose letters, digits and -._~ are percent-encoded is the same path',
  async ({ call, world }) => {
    for (const path of ['/v1/%61pps', '/%76%31/apps', '/v1/app%73'])
      expect([path, (await call('GET', path)).status]).toEqual([path, 200])
    expect((await call('POST', '/%70lants', { body: { id: 7_001, name: 'Fern' } })).status).toBe(
      200,
    )
    expect((await call('DELETE', '/plants/%37%30%30%31')).status).toBe(204)
    expect((await call('GET', `/~${world.name}/%70lants`)).status).toBe(200)
  },
)

testApi('a path with another character encoded is another path', async ({ call }) => {
  for (const path of ['/v1%2Fapps', '/v1/apps%20', '/v1/apps%3F', '/v1/%2Fapps'])
    expect([path, (await call('GET', path)).status]).toEqual([path, 404])
})
