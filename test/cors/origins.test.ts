import { expect } from 'vitest'
import { type Client, testApi } from '../support/test-api.ts'
import type { ScenarioChoice } from 'greenhouse-mock'
import { defineOperation } from 'greenhouse-mock/config'
import { adapters } from '../support/adapters.ts'

const loopback =
  'http://localhost:5173 http://localhost https://localhost:8443 http://127.0.0.1:3000 http://127.8.9.10:3000 ' +
  'http://127.255.255.254 http://LOCALHOST https://[::ffff:127.0.0.1]:3000 http://[::1]:8080 ' +
  'http://[::ffff:7f00:1] https://[::1]'

const others =
  'null https://shop.example http://shop.example:3000 file:// chrome-extension://abc * http:// localhost ' +
  'http://10.0.0.1 http://192.168.1.2:3000 http://0.0.0.0:80 http://localhost.evil.example ' +
  'http://evil.example/localhost http://localhost@evil.example http://evil-localhost http://notlocalhost:5173 ' +
  'http://sub.localhost:5173 http://127.0.0.1.nip.io http://127.0.0.256 http://127.1 http://128.0.0.1 ' +
  'http://localhost. http://localhost: http://localhost?x http:/localhost http://[::1 ' +
  'http://127.0.0.1@evil.example http://1127.0.0.1 http://127.0.0.1:3000.evil.example ' +
  'http://[::1].evil.example http://[::2]:8080 http://localhost:5173/ http://localhost:123456 ftp://localhost ' +
  'http://evil.example:localhost'

/** With a space in them. */
const severalOrigins = ['http://localhost:5173 http://evil.example', 'http://localhost:5173, null']

const paths = ['/plants', '/v1/apps', '/plants/101/leaves']

async function headersFor({ call }: Client, origin: string, path: string): Promise<Headers> {
  return (await call('GET', path, { headers: { origin } })).headers
}

async function preflightFor({ send }: Client, origin: string, path: string): Promise<Response> {
  return send(path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'DELETE',
      'access-control-request-headers': 'authorization,content-type',
      'access-control-request-private-network': 'true',
    },
  })
}

async function expectAllowed(client: Client, origin: string, path: string): Promise<void> {
  const headers = await headersFor(client, origin, path)
  expect(headers.get('access-control-allow-origin'), origin).toBe(origin)
  expect(headers.get('vary'), origin).toBe('Origin')
  const { status, headers: preflight } = await preflightFor(client, origin, path)
  expect(status, origin).toBe(204)
  expect(preflight.get('access-control-allow-origin'), origin).toBe(origin)
  expect(preflight.get('vary'), origin).toBe('Origin')
  expect(preflight.get('access-control-allow-methods')?.split(', '), origin).toEqual(
    expect.arrayContaining(['GET', 'POST', 'PATCH', 'DELETE']),
  )
  expect(preflight.get('access-control-allow-headers'), origin).toBe('authorization,content-type')
  for (const name of ['credentials', 'private-network'])
    expect(preflight.get(`access-control-allow-${name}`), origin).toBe('true')
}

/**
 * The page can't read what it gets. Over a socket it gets nothing: within a process, as in MSW, its
 * origin may be any.
 */
async function expectOther(client: Client, origin: string, path: string): Promise<void> {
  const answer = await client.call('GET', path, { headers: { origin } })
  if (client.overSocket) expect(answer.status, `${origin} on ${path}`).toBe(403)
  else expect(answer.status, `${origin} on ${path}`).not.toBe(403)
  for (const { headers } of [answer, await preflightFor(client, origin, path)]) {
    const granted = [...headers.keys()].filter((name) => name.startsWith('access-control-'))
    expect(granted, `${origin} on ${path}`).toEqual([])
    expect(headers.get('vary'), origin).toBe('Origin')
  }
}

testApi('pages of this machine may call every path', async (client) => {
  for (const path of paths)
    for (const origin of loopback.split(' ')) await expectAllowed(client, origin, path)
})

testApi('pages of other origins, or of none, are refused', async (client) => {
  for (const origin of [...others.split(' '), ...severalOrigins])
    for (const path of paths) await expectOther(client, origin, path)
})

testApi(
  'origins that are named may call too, exactly those',
  { cors: ['https://shop.example', 'http://10.0.0.1:3000'] },
  async (client) => {
    for (const origin of ['https://shop.example', 'http://10.0.0.1:3000', 'http://localhost:5173'])
      await expectAllowed(client, origin, '/plants')
    for (const origin of [
      'http://shop.example',
      'https://shop.example:8443',
      'https://a.shop.example',
      'null',
      '*',
    ])
      await expectOther(client, origin, '/plants')
  },
)

testApi('with * every page may call', { cors: ['*'] }, async (client) => {
  for (const origin of ['https://shop.example', 'http://localhost:5173', 'null'])
    await expectAllowed(client, origin, '/v1/apps')
})

testApi('without an origin there are no CORS headers', async ({ call }) => {
  const { headers } = await call('GET', '/plants')
  expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
})

const origin = 'http://localhost:5173'
const preflight = { origin, 'access-control-request-method': 'POST' }

testApi('a request that only looks like a preflight is answered', async ({ send }) => {
  const headers = { ...preflight, authorization: 'Bearer key_pro' }
  const response = await send('/plants', { headers })
  expect([response.status, response.headers.get('access-control-allow-methods')]).toEqual([
    200,
    null,
  ])
})

testApi('a preflight needs no key, has no body and does nothing', async ({ send, world }) => {
  const before = world.records.plants.all()
  const response = await send('/plants', { method: 'OPTIONS', headers: preflight })
  expect(response.status).toBe(204)
  expect(await response.text()).toBe('')
  expect(world.records.plants.all()).toEqual(before)
})

testApi('a preflight spends no budget', async ({ send, call }) => {
  const remaining = async () =>
    Number((await call('GET', '/v1/apps')).headers.get('x-ratelimit-remaining'))
  const before = await remaining()
  await send('/v1/apps', {
    method: 'OPTIONS',
    headers: { ...preflight, authorization: 'Bearer key_pro' },
  })
  expect(await remaining()).toBe(before - 1)
})

testApi('a preflight grants only what it asks for', async ({ send }) => {
  const { headers } = await send('/plants', { method: 'OPTIONS', headers: preflight })
  for (const name of ['headers', 'private-network'])
    expect(headers.has(`access-control-allow-${name}`), name).toBe(false)
})

testApi('headers are granted as they were asked for', async ({ send }) => {
  const asked = {
    ...preflight,
    'access-control-request-headers': 'authorization, content-type, x-greenhouse-scenario',
  }
  const response = await send('/plants', { method: 'OPTIONS', headers: asked })
  expect(response.headers.get('access-control-allow-headers')).toBe(
    'authorization, content-type, x-greenhouse-scenario',
  )
  // The browser would block it. The reply to the request itself says what is wrong.
  const lower = { ...preflight, 'access-control-request-method': 'patch' }
  const allowed = await send('/plants', { method: 'OPTIONS', headers: lower })
  expect(allowed.headers.get('access-control-allow-methods')).toMatch(/PATCH.*, patch$/)
})

testApi('OPTIONS that asks for no method is no preflight', async ({ send }) => {
  const response = await send('/plants', { method: 'OPTIONS', headers: { origin } })
  expect(response.status).toBe(404)
  expect(response.headers.get('access-control-allow-origin')).toBe(origin)
})

const headers = { origin: 'http://localhost:5173' }
const operations = [
  defineOperation({
    id: 'plants.water',
    method: 'GET',
    path: '/plants/{id}/water',
    handle: () => ({}),
  }),
]

/** What every page may read, what none may, and what Node adds to a connection. */
const unlisted =
  /^(cache-control|content-.*|expires|last-modified|pragma|set-cookie|vary|access-control-.*|connection|keep-alive)$/

const stub = (sent: Record<string, string>, more?: object): ScenarioChoice => ({
  respond: [{ status: 200, body: {}, headers: sent, ...more }],
})

const rows: [reply: string, path: string, names: string[], scenario?: ScenarioChoice][] = [
  [
    'the API',
    '/v1/apps',
    ['x-ratelimit-limit', 'x-ratelimit-reset', 'x-request-id', 'x-greenhouse', 'date'],
  ],
  ['an error', '/v1/nowhere', ['x-request-id', 'x-greenhouse']],
  ['a wrong world', '/~a!b/plants', ['date']],
  ['an operation of your own', '/plants/1/water', ['x-greenhouse']],
  [
    'a stub',
    '/v1/apps',
    ['x-total', 'etag'],
    stub({ 'X-Total': '3', etag: '"1"', 'Set-Cookie': 'a=b' }),
  ],
  ['a proxy', '/v1/apps', ['via'], stub({ Via: '1.1 proxy' }, { in_front: true })],
  ['a scenario', '/v1/apps', ['x-set'], { fault: [{ kind: 'headers', set: { 'X-Set': '1' } }] }],
  ['a cache', '/v1/apps', ['age'], { fault: [{ kind: 'stale' }] }],
]

for (const [reply, path, names, scenario] of rows)
  testApi(
    `a page may read all headers of ${reply}`,
    { operations },
    async ({ send, world }) => {
      if (scenario) world.use(scenario)
      // The second may come from a cache.
      await send(path, { headers: { ...headers, authorization: 'Bearer key_pro' } })
      const reply = await send(path, { headers: { ...headers, authorization: 'Bearer key_pro' } })
      const exposed = reply.headers.get('access-control-expose-headers')!.toLowerCase().split(', ')
      expect(exposed).toEqual(expect.arrayContaining(names))
      expect(exposed.toSorted()).toEqual(
        [...reply.headers.keys()].filter((name) => !unlisted.test(name)),
      )
    },
    adapters,
  )

const own = {
  VARY: 'Accept',
  'access-control-allow-origin': '*',
  'ACCESS-CONTROL-expose-headers': 'X-Total',
}

testApi(
  "a stub's CORS headers win, lists are merged, and a scenario may remove them",
  {},
  async ({ call, world }) => {
    const read = async () => {
      const reply = await call('GET', '/v1/apps', { headers })
      return Object.keys(own).map((name) => reply.headers.get(name))
    }
    world.use(stub(own))
    const [vary, origin, exposed] = await read()
    expect([vary, origin]).toEqual(['Accept, Origin', '*'])
    expect(exposed!.split(', ')).toEqual(
      expect.arrayContaining(['X-Total', 'X-RateLimit-Limit', 'X-Request-Id']),
    )
    world.useOnly([stub({ Vary: '*', 'Access-Control-Expose-Headers': 'X-Request-Id' })])
    const [every, , once] = await read()
    expect([every, once!.match(/X-Request-Id/gi)]).toEqual(['*', ['X-Request-Id']])
    world.useOnly([{ fault: [{ kind: 'headers', remove: Object.keys(own) }] }])
    expect(await read()).toEqual([null, null, null])
  },
)
