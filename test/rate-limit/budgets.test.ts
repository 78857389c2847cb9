import { expect, test } from 'vitest'
import { type Answer, type CallOptions, type Client, start, testApi } from '../support/test-api.ts'
import { times } from '../support/soak.ts'
import { testControl } from '../support/control.ts'
import { createWindow } from '../../src/core/accounts/windows.ts'
import type { AssumptionValues } from 'greenhouse-mock'

/** Returns the values of the three headers. */
function rate({ headers }: Pick<Answer, 'headers'>) {
  const of = (name: string) => headers.get(`x-ratelimit-${name}`)
  return { limit: of('limit'), remaining: of('remaining'), reset: of('reset') }
}

/** What a client sees of a limit: the status and the three headers. */
function seen(answer: Pick<Answer, 'headers' | 'status'>) {
  const { limit, remaining, reset } = rate(answer)
  return [answer.status, limit, remaining, reset]
}

/** Lists apps. */
function list({ call }: Pick<Client, 'call'>, key: string | null = 'key_free'): Promise<Answer> {
  return call('GET', '/v1/apps', { key })
}

/** Asks for no operation, which spends nothing. */
function look({ call }: Pick<Client, 'call'>): Promise<Answer> {
  return call('GET', '/v1/unknown', { key: 'key_free' })
}

/** Sends so many requests that are all within the limit, without a detour through the adapter. */
async function spend(
  { direct }: Pick<Client, 'direct'>,
  count: number,
  key = 'key_free',
): Promise<void> {
  const statuses = new Set<number>()
  for (let sent = 0; sent < count; sent++) {
    const { status } = await direct('/v1/apps?limit=1', {
      headers: { authorization: `Bearer ${key}` },
    })
    statuses.add(status)
  }
  if (count > 0) expect([...statuses]).toEqual([200])
}

/** The choices of `rate-limit.window`. */
const windows = ['calendar', 'first-request', 'sliding'] as const

/** In milliseconds since 1970, seen from `start` in the middle of the minute. */
const minuteEnd = Date.parse('2026-03-01T12:01:00.000Z')
const dayEnd = Date.parse('2026-03-02T00:00:00.000Z')

const path = '/v1/apps/app_7sm4hb54ca5qj6nu'
type Sent = [status: number, method: string, path: string, options?: CallOptions]

const spending: Sent[] = [
  [200, 'GET', '/v1/apps'],
  [200, 'HEAD', '/v1/apps'],
  [400, 'GET', '/v1/apps?limit=0'],
  [400, 'POST', '/v1/apps', { body: '{' }],
  [400, 'POST', '/v1/apps', { body: '{}', headers: { 'content-type': 'text/plain' } }],
  [400, 'GET', '/v1/apps/%zz'],
  [403, 'POST', '/v1/apps', { key: 'key_free_readonly', body: { name: 'x' } }],
  [404, 'GET', '/v1/apps/app_aaaaaaaaaaaaaaaa'],
  [201, 'POST', '/v1/apps', { body: { name: 'x' } }],
  [200, 'PATCH', path, { body: {} }],
  [204, 'DELETE', path],
]

const free: Sent[] = [
  [401, 'GET', '/v1/apps', { key: null }],
  [401, 'GET', '/v1/apps', { key: 'key_free_revoked' }],
  [404, 'GET', '/v1/unknown'],
  [404, 'GET', '/v1/apps/x/y'],
  [404, 'PUT', '/v1/apps'],
  [404, 'OPTIONS', '/v1/apps'],
  [500, 'GET', '/v1/apps', { headers: { 'x-greenhouse-scenario': 'server-error' } }],
  [200, 'GET', '/plants'],
]

testApi('each request with a good key to an operation spends one', async ({ call, world }) => {
  await world.records.keys.create({
    secret: 'key_free_readonly',
    account: 'acct_free',
    scopes: ['apps:read'],
  })
  let left = 60
  for (const [status, method, path, options] of spending) {
    const answer = await call(method, path, { key: 'key_free', ...options })
    expect(answer.status, `${method} ${path}`).toBe(status)
    expect(rate(answer).remaining, `${method} ${path}`).toBe(String(--left))
  }
})

testApi(
  'a request without a good key, to no operation or to plants spends nothing',
  async ({ call, world }) => {
    await world.records.keys.create({
      secret: 'key_free_revoked',
      account: 'acct_free',
      revoked: true,
    })
    for (const [status, method, path, options] of free)
      expect(
        (await call(method, path, { key: 'key_free', ...options })).status,
        `${method} ${path}`,
      ).toBe(status)
    expect(rate(await list({ call })).remaining).toBe('59')
  },
)

const plans = {
  free: [60, 1_000],
  lite: [120, 5_000],
  pro: [300, 25_000],
  pro_plus: [600, 100_000],
} as const

for (const [plan, [minute, day]] of Object.entries(plans))
  testApi(
    `the plan ${plan} permits ${minute} requests a minute and ${day} a day`,
    async ({ call, direct, world }) => {
      const key = `key_${plan}`
      world.assume('rate-limit.reported', 'day')
      expect(seen(await list({ call }, key)).slice(0, 3)).toEqual([
        200,
        String(day),
        String(day - 1),
      ])
      world.assume('rate-limit.reported', 'minute')
      expect(seen(await list({ call }, key)).slice(0, 3)).toEqual([
        200,
        String(minute),
        String(minute - 2),
      ])
      await spend({ direct }, minute - 3, key)
      for (const status of [200, 429])
        expect(seen(await list({ call }, key)).slice(0, 3)).toEqual([status, String(minute), '0'])
    },
  )

const requests = times(500, 100)

for (const window of windows)
  testApi(
    `exactly 60 of ${requests} requests at once succeed (${window})`,
    async ({ call, world }) => {
      world.assume('rate-limit.window', window)
      const answers = await Promise.all(
        Array.from({ length: requests }, () =>
          call('GET', '/v1/apps?limit=1', { key: 'key_free' }),
        ),
      )
      const succeeded = answers.filter(({ status }) => status === 200)
      expect(succeeded).toHaveLength(60)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(requests - 60)
      const left = succeeded
        .map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
        .sort((a, b) => a - b)
      expect(left).toEqual(Array.from({ length: 60 }, (_, index) => index))
    },
  )

testApi('a request over the limit does nothing', async (client) => {
  await spend(client, 60)
  const before = client.world.records.apps.count()
  expect(
    (await client.call('POST', '/v1/apps', { key: 'key_free', body: { name: 'x' } })).status,
  ).toBe(429)
  expect(
    (await client.call('DELETE', '/v1/apps/app_7sm4hb54ca5qj6nu', { key: 'key_free' })).status,
  ).toBe(429)
  expect(client.world.records.apps.count()).toBe(before)
})

testApi('one world has nothing to do with another', {}, async (client) => {
  await spend(client, 60)
  expect((await list(client, client.greenhouse.world('other').key('key_free'))).status).toBe(200)
  expect((await list(client)).status).toBe(429)
})

for (const window of windows)
  testControl(
    `reading quotas changes nothing (${window})`,
    async ({ greenhouse, control, call }) => {
      const worlds = ['seen', 'unseen'].map((name) => greenhouse.world(name))
      const remaining = await Promise.all(
        worlds.map(async (world) => {
          world.assume('rate-limit.window', window)
          const ask = () =>
            call(`/~${world.name}/v1/apps`, { headers: { authorization: 'Bearer key_free' } })
          await ask()
          world.clock.advance('2h')
          if (world.name === 'seen')
            for (const path of ['quotas', 'due'])
              expect((await control('GET', `/worlds/seen/${path}`)).status).toBe(200)
          world.clock.set(start)
          return (await ask()).headers.get('x-ratelimit-remaining')
        }),
      )
      expect(remaining).toEqual(['58', '58'])
    },
  )

const length = 86_400_000
const exact = 100_000

test('a sliding window of very many requests counts all of them, the newest 100,000 exactly', () => {
  const window = createWindow('sliding', length)
  const total = 450_000
  for (let at = 0; at < total; at++) window.add(1, at)
  const countAt = (at: number) => 0 - window.remaining(0, at)
  expect(countAt(total)).toBe(total)
  // A limit looks at its newest requests.
  for (const limit of [1, 60, exact])
    expect(window.resetAt(limit, total)).toBe(total - limit + length)
  const copy = window.clone()
  // Older ones expire together with a later one, never before their time.
  for (const gone of [100_000, 200_000, 300_000]) {
    const left = countAt(gone - 1 + length)
    expect(left).toBeGreaterThanOrEqual(total - gone)
    expect(left).toBeLessThan(total - gone + 8)
  }
  for (const gone of [total - exact, total - 7, total])
    expect(countAt(gone - 1 + length)).toBe(total - gone)
  expect(copy.remaining(total, total)).toBe(0)
})

const day = String(dayEnd / 1_000)

/** Spends 940 of a Free day, and moves on to a fresh minute: 60 are left of either window. */
async function leaveSixtyOfBoth(client: Client): Promise<string> {
  client.world.clock.set(start)
  for (let minute = 0; minute < 20; minute++) {
    await spend(client, 47)
    client.world.clock.advance('1m')
  }
  return String(Date.parse('2026-03-01T12:21:00Z') / 1_000)
}

testApi(
  'rate-limit.reported=tightest reports the window with fewer left, the minute on a tie',
  async (client) => {
    const minute = await leaveSixtyOfBoth(client)
    client.world.assume('rate-limit.reported', 'tightest')
    expect(rate(await look(client))).toEqual({ limit: '60', remaining: '60', reset: minute })
    await spend(client, 1)
    expect(rate(await look(client))).toEqual({ limit: '60', remaining: '59', reset: minute })
    client.world.clock.advance('1m')
    expect(rate(await look(client))).toEqual({ limit: '1000', remaining: '59', reset: day })
  },
)

/** The values for a reset at 12:01:00, at 12:00:30 and at 12:00:59.001. */
const units: Record<string, [early: string, late: string]> = {
  'epoch-seconds': ['1772366460', '1772366460'],
  'delta-seconds': ['30', '1'],
  'epoch-milliseconds': ['1772366460000', '1772366460000'],
  'iso-8601': ['2026-03-01T12:01:00.000Z', '2026-03-01T12:01:00.000Z'],
}

for (const [unit, [early, late]] of Object.entries(units))
  testApi(
    `rate-limit.reset-unit=${unit} sets the unit of the reset, on a 200 and on a 429`,
    async (client) => {
      client.world.assume({
        'rate-limit.reset-unit': unit as AssumptionValues['rate-limit.reset-unit'],
      })
      expect(seen(await list(client))).toEqual([200, '60', '59', early])
      await spend(client, 59)
      client.world.clock.set('2026-03-01T12:00:59.001Z')
      const over = await list(client)
      expect(seen(over)).toEqual([429, '60', '0', late])
      expect(over.headers.get('retry-after')).toBe('1')
      client.world.clock.set(minuteEnd)
      expect((await list(client)).status).toBe(200)
    },
  )

testApi(
  'seconds are rounded up, so that a client that waits for them is never early',
  async ({ call, world }) => {
    world.assume('rate-limit.window', 'first-request')
    world.clock.set('2026-03-01T12:00:30.001Z')
    expect(rate(await list({ call })).reset).toBe('1772366491')
    world.assume('rate-limit.reset-unit', 'delta-seconds')
    world.clock.advance(500)
    expect(rate(await list({ call })).reset).toBe('60')
  },
)

testApi('with rate-limit.retry-after=absent a 429 does not say so', async (client) => {
  client.world.assume('rate-limit.retry-after', 'absent')
  await spend(client, 60)
  const { status, headers } = await list(client)
  expect([status, headers.get('retry-after'), headers.get('x-ratelimit-remaining')]).toEqual([
    429,
    null,
    '0',
  ])
})

const keys = [null, 'key_unknown', 'key_expired', 'key_revoked']

testApi(
  'rate-limit.unauthenticated=free-plan: a 401 shows an unspent Free plan',
  async ({ call, world }) => {
    world.assume('rate-limit.unauthenticated', 'free-plan')
    for (const key of [...keys, ...keys]) {
      const answer = await list({ call }, key)
      expect(seen(answer), String(key)).toEqual([401, '60', '60', String(minuteEnd / 1_000)])
      expect(answer.headers.has('retry-after')).toBe(false)
    }
  },
)

testApi(
  'with rate-limit.unauthenticated=absent only a 401 lacks the rate limit headers',
  async ({ call, world }) => {
    world.assume('rate-limit.unauthenticated', 'absent')
    for (const key of keys) {
      expect(seen(await list({ call }, key)), String(key)).toEqual([401, null, null, null])
    }
    expect(rate(await list({ call })).limit).toBe('60')
    expect(rate(await call('GET', '/v1/unknown', { key: 'key_free' })).limit).toBe('60')
  },
)

testApi('the reset of a 401 counts from now', async ({ call, world }) => {
  world.assume('rate-limit.reset-unit', 'epoch-milliseconds')
  for (const [window, length] of [
    ['calendar', 30_000],
    ['first-request', 60_000],
    ['sliding', 60_000],
  ] as const) {
    world.clock.set(start)
    world.assume('rate-limit.window', window)
    expect(rate(await list({ call }, null)).reset, window).toBe(String(Date.parse(start) + length))
  }
})

testApi('plants have no limit and no such headers', async (client) => {
  await spend(client, 60)
  expect(seen(await client.call('GET', '/plants', { key: 'key_free' }))).toEqual([
    200,
    null,
    null,
    null,
  ])
})

testApi(
  "with plants.rate-limits=on plants and apps spend the account's one budget",
  async (client) => {
    client.world.assume('plants.rate-limits', 'on')
    const reset = String(minuteEnd / 1_000)
    expect(seen(await client.call('GET', '/plants', { key: 'key_free' }))).toEqual([
      200,
      '60',
      '59',
      reset,
    ])
    expect(seen(await list(client))).toEqual([200, '60', '58', reset])
    await spend(client, 58)
    const over = await client.call('GET', '/plants', { key: 'key_free' })
    expect(over.body).toEqual({ error: 429, message: expect.any(String) })
    expect(seen(over)).toEqual([429, '60', '0', reset])
    expect(over.headers.has('retry-after')).toBe(true)
  },
)

testApi(
  'with plants.rate-limits=on errors of plants carry the headers too',
  async ({ call, world }) => {
    world.assume('plants.rate-limits', 'on')
    for (const [method, path, key] of [
      ['GET', '/plants', null],
      ['DELETE', '/plants/x', 'key_free'],
      ['PUT', '/plants', 'key_free'],
    ] as const) {
      const answer = await call(method, path, { key })
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(rate(answer).limit, `${method} ${path}`).toBe('60')
    }
  },
)
