import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { closedTransport } from '../../src/core/http/webhook-transport.ts'
import { requests } from '../malformations/requests.ts'
import { startServe } from '../support/cli.ts'
import { soaks } from '../support/soak.ts'
import { createCaller, testApi, tested } from '../support/test-api.ts'

const strict = { strict: true }

testApi(
  'strict: a 400 names all violations of a request, in the error shape of its area',
  strict,
  async ({ call }) => {
    const plants = await call('POST', '/plants?dry=1', {
      body: { id: 1, name: 'Ficus', colour: 'green' },
    })
    expect([plants.status, plants.body]).toEqual([
      400,
      {
        error: 400,
        message:
          'unknown-query: "dry" is not a query parameter of this operation. unknown-field: "colour" is not a field of this request.',
      },
    ])
    const apps = await call('GET', '/v1/apps?limt=3&order=asc&order=desc')
    expect([apps.status, apps.body]).toEqual([
      400,
      {
        error: {
          code: 'invalid_request',
          message:
            'unknown-query: "limt" is not a query parameter of this operation. Did you mean "limit"? repeated-query: The query parameter "order" is sent 2 times: only its first value counts.',
          request_id: apps.headers.get('X-Request-Id'),
        },
      },
    ])
  },
)

testApi('strict: nothing is done by a request that is refused', strict, async ({ call, world }) => {
  const size = world.records.apps.all().length
  expect((await call('POST', '/v1/apps', { body: { name: 'a', colour: 'green' } })).status).toBe(
    400,
  )
  expect(world.records.apps.all()).toHaveLength(size)
  expect((await call('POST', '/v1/apps', { body: { name: 'a' } })).status).toBe(201)
  expect(world.records.apps.all()).toHaveLength(size + 1)
})

testApi(
  'strict: errors of key, scope, plan, path and method come first',
  strict,
  async ({ call, world }) => {
    const statusOf = async (...request: Parameters<typeof call>) => (await call(...request)).status
    expect(await statusOf('GET', '/v1/apps?limt=3', { key: 'key_nobody' })).toBe(401)
    expect(await statusOf('GET', '/v1/apps?limt=3', { key: null })).toBe(401)
    expect(
      await statusOf('POST', '/v1/apps?limt=3', { key: 'key_readonly', body: { name: 'a' } }),
    ).toBe(403)
    expect(await statusOf('GET', '/v1/ap?limt=3')).toBe(404)
    expect(await statusOf('PUT', '/plants?limt=3')).toBe(404)
    world.use('rate-limited-plan')
    expect(await statusOf('GET', '/v1/apps?limt=3')).toBe(429)
    world.clear()
    expect(await statusOf('GET', '/v1/apps?limt=3')).toBe(400)
  },
)

testApi('without strict the reply stays what it is', async ({ call, world }) => {
  const asked = await call('GET', '/v1/apps?limt=3')
  expect([asked.status, asked.body.data.length]).toEqual([
    200,
    (await call('GET', '/v1/apps')).body.data.length,
  ])
  const rules = world.journal.calls().map(({ violations }) => violations?.map(({ rule }) => rule))
  expect(rules).toEqual([['unknown-query'], undefined])
})

testApi(
  'strict: a scenario that answers instead is not judged',
  strict,
  async ({ call, world }) => {
    world.use('server-error')
    expect((await call('GET', '/v1/apps?limt=3')).status).toBe(500)
  },
)

testApi(
  'strict: from 600 characters on a message takes no further problem',
  strict,
  async (client) => {
    const said = (name: string) =>
      `unknown-query: "${name}" is not a query parameter of this operation.`
    const names = (length: number) => {
      const rest = length - 6 * said('').length
      return Array.from('uvwxyz', (letter, at) => letter.repeat(Math.floor((rest + at) / 6)))
    }
    for (const [length, end] of [
      [599, said('?')],
      [600, 'There is 1 more problem.'],
    ] as const) {
      const { body } = await client.call('GET', `/v1/apps?${[...names(length), '?'].join('&')}`)
      expect(body.error.message).toBe([...names(length).map(said), end].join(' '))
    }
  },
)

testApi('strict: a key in the URL is refused, an empty body is none', strict, async ({ call }) => {
  const { status, body } = await call('GET', '/v1/apps?cursor=key_pro')
  expect([status, body.error.message]).toEqual([
    400,
    expect.stringContaining('key-in-url: The query parameter "cursor" holds a key'),
  ])
  const app = 'app_w33c4cwmhfyfktiv'
  const sent = await call('POST', `/v1/apps/${app}/deployments`, { body: '' })
  expect([sent.status, sent.body.error.message]).toEqual([
    400,
    expect.stringMatching(/^missing-body: /),
  ])
})

// At full size through a server, too: what it reads of a request is proven in test/parity.
test.each(tested.slice(0, soaks ? 2 : 1))(
  'a sound request of each operation has no violation, strict or not ($name)',
  async ({ open }) => {
    for (const strict of [false, true]) {
      const greenhouse = createGreenhouse({ strict })
      const { send, close } = await open(greenhouse)
      const deliverAgain = greenhouse.deliverThrough(closedTransport)
      try {
        for (const [operation, prepared] of Object.entries(requests)) {
          const world = greenhouse.world('default')
          world.reset()
          const call = createCaller(send)
          const [method, path, options] =
            typeof prepared === 'function' ? await prepared(call, world) : prepared
          expect((await call(method, path, options)).status, operation).toBeLessThan(300)
          expect(world.journal.calls().at(-1)!.operation).toBe(operation)
          expect(world.journal.violations(), operation).toEqual([])
        }
      } finally {
        deliverAgain()
        await close()
      }
    }
  },
)

test('there is a sound request of each operation', () => {
  const ids = createGreenhouse()
    .operations()
    .map(({ id }) => id)
  expect(Object.keys(requests).sort()).toEqual(ids.sort())
})

/** Mistakes, and their messages in strict mode. */
const slips = [
  ['/plants?q=100%', 'percent-encoding: The percent-encoding of the query is not valid.'],
  ['/v1/apps/app_%E4', 'percent-encoding: The percent-encoding of the path is not valid.'],
] as const

const told = slips.map(([, message]) => expect.stringContaining(message))

const headers = { authorization: 'Bearer key_pro' }

// A bundler may drop a call whose result is unused, so each build is tested.
const builds = {
  import: createGreenhouse,
  require: createRequire(import.meta.url)('greenhouse-mock').createGreenhouse,
}

test.each(['import', 'require'] as const)(
  'what %s gives refuses a percent-encoding that is none',
  async (build) => {
    const greenhouse = builds[build]({ strict: true })
    const ask = async (path: string) =>
      (await greenhouse.fetch(new Request(`http://127.0.0.1${path}`, { headers }))).text()
    expect(await Promise.all(slips.map(([path]) => ask(path)))).toEqual(told)
  },
)

test('the command refuses an invalid percent-encoding', async () => {
  const { call, stop } = await startServe(['--strict'])
  expect(await Promise.all(slips.map(async ([path]) => (await call(path)).text()))).toEqual(told)
  await stop()
})
