import { expect } from 'vitest'
import { type CallOptions, testApi } from '../support/test-api.ts'

/** A request to Area B that a client should not have sent, and the status that it gets. */
export interface Hostile {
  what: string
  status: number
  path: string
  init: RequestInit
}

const json = { 'content-type': 'application/json' }
const nested = (depth: number) =>
  `{"name":"x","extra":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`

function post(
  what: string,
  status: number,
  body: RequestInit['body'],
  headers: Record<string, string> = json,
): Hostile {
  return { what, status, path: '/v1/apps', init: { method: 'POST', body, headers } }
}

function send(
  what: string,
  status: number,
  path: string,
  method = 'GET',
  headers: Record<string, string> = {},
): Hostile {
  return { what, status, path, init: { method, headers } }
}

/** All of them with a good key; every status is one that the reference lists. */
export const hostile: Hostile[] = [
  post('no content type', 400, new TextEncoder().encode('{"name":"x"}'), {}),
  post('text', 400, '{"name":"x"}', { 'content-type': 'text/plain' }),
  post('a form', 400, 'name=x', { 'content-type': 'application/x-www-form-urlencoded' }),
  post('a multipart form', 400, '--b\r\n\r\n--b--', {
    'content-type': 'multipart/form-data; boundary=b',
  }),
  post('almost JSON', 400, '{"name":"x"}', { 'content-type': 'application/jsonp' }),
  post('UTF-16', 400, '{"name":"x"}', { 'content-type': 'application/json; charset=utf-16' }),
  post('JSON in UTF-8 by name', 201, '{"name":"x"}', {
    'content-type': 'Application/JSON; charset="UTF-8"',
  }),
  post('a byte order mark', 201, '\ufeff{"name":"x"}'),
  post('gzip by name', 400, '{"name":"x"}', { ...json, 'content-encoding': 'gzip' }),
  post('gzip twice', 400, '{"name":"x"}', { ...json, 'content-encoding': 'gzip, gzip' }),
  post('br', 400, '{"name":"x"}', { ...json, 'content-encoding': 'br' }),
  post('an unknown encoding', 400, '{"name":"x"}', { ...json, 'content-encoding': 'x-mine' }),
  post('identity', 201, '{"name":"x"}', { ...json, 'content-encoding': 'identity' }),
  post('no body', 400, undefined),
  post('an empty body', 400, ''),
  post('white space', 400, ' \n'),
  post('half an object', 400, '{"name":'),
  post('two objects', 400, '{"name":"x"}{"name":"y"}'),
  post('a comment', 400, '{"name":"x"/* */}'),
  post('single quotes', 400, "{'name':'x'}"),
  post('a trailing comma', 400, '{"name":"x",}'),
  post('NaN', 400, '{"name":NaN}'),
  post('a control character', 400, '{"name":"\u0001"}'),
  post('an array', 400, '[{"name":"x"}]'),
  post('null', 400, 'null'),
  post('a number', 400, '1e400'),
  post('markup', 400, '<app><name>x</name></app>'),
  post('bytes that are not UTF-8', 400, new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])),
  post('an overlong encoding', 400, new Uint8Array([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x7d])),
  post('depth 100', 201, nested(100)),
  post('depth 101', 400, nested(101)),
  post('depth 50,000', 400, nested(50_000)),
  post('an integer of 100,000 digits', 400, `{"name":"x","n":${'9'.repeat(100_000)}}`),
  post('a body just under the limit', 201, '{"name":"x"}'.padEnd(2 ** 20)),
  post('a body just over the limit', 400, '{"name":"x"}'.padEnd(2 ** 20 + 1)),
  post('a body far over the limit', 400, 'x'.repeat(5 * 2 ** 20)),
  send('an unknown path', 404, '/v1/unknown'),
  send('the bare base', 404, '/v1'),
  send('the base with a slash', 404, '/v1/'),
  send('a trailing slash', 404, '/v1/apps/'),
  send('two slashes', 404, '/v1//apps'),
  send('a path that is too long', 404, '/v1/apps/x/y/z'),
  send('a long path', 404, '/v1/' + 'x'.repeat(4_000)),
  send('upper case', 404, '/v1/APPS'),
  send('an encoded slash', 404, '/v1/apps%2Fapp_w33c4cwmhfyfktiv'),
  send('an id of dots', 404, '/v1/apps/...'),
  send('an id of __proto__', 404, '/v1/apps/__proto__'),
  send('a bad escape in an id', 400, '/v1/apps/%zz'),
  send('half an escape in an id', 400, '/v1/apps/%'),
  send('an escape that is not UTF-8', 400, '/v1/apps/%ff'),
  send('a surrogate in an id', 400, '/v1/apps/%ed%a0%80'),
  send('a bad escape in an unknown path', 404, '/v1/%zz'),
  send('a bad escape in the query', 400, '/v1/apps?x=%zz'),
  send('an escape in the query that is not UTF-8', 400, '/v1/apps?x=%ff'),
  send('two question marks', 200, '/v1/apps??'),
  send('2,000 query parameters', 200, '/v1/apps?' + 'a=1&'.repeat(2_000)),
  send('__proto__ in the query', 200, '/v1/apps?__proto__=1&constructor=2'),
  send('a method that the path lacks', 404, '/v1/apps', 'DELETE'),
  send('PUT', 404, '/v1/apps/app_w33c4cwmhfyfktiv', 'PUT'),
  send('an unusual method', 404, '/v1/apps', 'PROPFIND'),
  send('OPTIONS', 404, '/v1/apps', 'OPTIONS'),
  send('OPTIONS on an unknown path', 404, '/v1/unknown', 'OPTIONS'),
  send('HEAD', 200, '/v1/apps', 'HEAD'),
  send('HEAD on an unknown path', 404, '/v1/unknown', 'HEAD'),
  send('an Accept that wants no JSON', 200, '/v1/apps', 'GET', { accept: 'text/html' }),
  send('a range', 200, '/v1/apps', 'GET', { range: 'bytes=0-1' }),
  send('a condition', 200, '/v1/apps', 'GET', {
    'if-none-match': '*',
    'if-modified-since': 'Sun, 01 Mar 2026 12:00:00 GMT',
  }),
  send('another method by header', 200, '/v1/apps', 'GET', { 'x-http-method-override': 'DELETE' }),
]

const listed = new Set([400, 401, 403, 404, 429, 500])

testApi(
  'hostile requests are answered with a status of the table and a well-formed error',
  async ({ send }) => {
    for (const { what, status, path, init } of hostile) {
      const response = await send(path, {
        ...init,
        headers: { ...init.headers, authorization: 'Bearer key_pro_plus' },
      })
      const text = await response.text()
      expect(response.status, what).toBe(status)
      expect(response.headers.get('content-type'), what).toBe('application/json')
      if (init.method === 'HEAD') expect(text, what).toBe('')
      else if (status >= 400) {
        expect(listed, what).toContain(status)
        const request_id = response.headers.get('x-request-id')
        expect(JSON.parse(text), what).toEqual({
          error: { code: expect.any(String), message: expect.any(String), request_id },
        })
      }
    }
  },
)

testApi(
  'none of it does harm: the next request is answered as ever',
  async ({ send, call, world }) => {
    const before = world.records.apps.all()
    for (const { path, init } of hostile.filter(({ status }) => status >= 400))
      await send(path, {
        ...init,
        headers: { ...init.headers, authorization: 'Bearer key_pro_plus' },
      })
    expect(world.records.apps.all()).toEqual(before)
    expect((await call('POST', '/v1/apps', { body: { name: 'x' } })).status).toBe(201)
    expect(Object.keys(Object.prototype)).toEqual([])
  },
)

const path = '/v1/apps/app_w33c4cwmhfyfktiv'

const ordinary: [method: string, path: string, options?: CallOptions][] = [
  ['GET', '/v1/apps'],
  ['GET', '/v1/apps?limit=1'],
  ['GET', path],
  ['POST', '/v1/apps', { body: { name: 'x' } }],
  ['PATCH', path, { body: { name: 'x' } }],
  ['DELETE', path],
  ['GET', '/v1/apps', { key: null }],
  ['GET', '/v1/apps', { key: 'key_unknown' }],
  ['GET', '/v1/apps', { key: 'key_expired' }],
  ['GET', '/v1/apps', { key: 'key_revoked' }],
  ['DELETE', path, { key: 'key_readonly' }],
  ['GET', '/v1/unknown', { key: null }],
  ['GET', '/v1/unknown', { key: 'key_unknown' }],
  [
    'GET',
    '/v1/apps',
    { key: 'key_free', headers: { 'x-greenhouse-scenario': 'rate-limited-plan' } },
  ],
  ['GET', '/v1/apps', { headers: { 'x-greenhouse-scenario': 'server-error' } }],
  ['GET', '/v1/apps', { key: null, headers: { 'x-greenhouse-scenario': 'server-error' } }],
  ['GET', '/v1/apps', { headers: { 'x-greenhouse-scenario': 'expired-key' } }],
]

function assertCarries(what: string, headers: Headers) {
  expect(headers.get('x-request-id'), what).toMatch(/^req_[a-z2-7]{16}$/)
  expect(headers.get('x-ratelimit-limit'), what).toMatch(
    /^(60|120|300|600|1000|5000|25000|100000)$/,
  )
  expect(headers.get('x-ratelimit-remaining'), what).toMatch(/^\d+$/)
  expect(Number(headers.get('x-ratelimit-remaining')), what).toBeLessThanOrEqual(
    Number(headers.get('x-ratelimit-limit')),
  )
  expect(headers.get('x-ratelimit-reset'), what).toMatch(/^(1772366460|1772409600|1772366490)$/)
}

testApi(
  'every reply carries a request id and the three headers of the rate limit',
  async ({ call, send }) => {
    for (const [method, path, options] of ordinary) {
      const { headers } = await call(method, path, options)
      assertCarries(`${method} ${path} ${JSON.stringify(options)}`, headers)
    }
    for (const { what, path, init } of hostile)
      for (const headers of [
        init.headers,
        { ...init.headers, authorization: 'Bearer key_pro_plus' },
      ] as HeadersInit[]) {
        const response = await send(path, { ...init, headers })
        await response.arrayBuffer()
        assertCarries(what, response.headers)
      }
  },
)
