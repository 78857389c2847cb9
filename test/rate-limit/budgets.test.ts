import { expect } from 'vitest'
import { testApi, type CallOptions } from '../support/test-api.ts'
import { times } from '../support/soak.ts'
import { windows, list, rate, seen, spend } from './spend.ts'

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
  await world.records.keys.create({ secret: 'key_free_readonly', account: 'acct_free', scopes: ['apps:read'] })
  let left = 60
  for (const [status, method, path, options] of spending) {
    const answer = await call(method, path, { key: 'key_free', ...options })
    expect(answer.status, `${method} ${path}`).toBe(status)
    expect(rate(answer).remaining, `${method} ${path}`).toBe(String(--left))
  }
})

testApi('a request without a good key, to no operation or to plants spends nothing', async ({ call, world }) => {
  await world.records.keys.create({ secret: 'key_free_revoked', account: 'acct_free', revoked: true })
  for (const [status, method, path, options] of free)
    expect((await call(method, path, { key: 'key_free', ...options })).status, `${method} ${path}`).toBe(status)
  expect(rate(await list({ call })).remaining).toBe('59')
})

const plans = { free: [60, 1_000], lite: [120, 5_000], pro: [300, 25_000], pro_plus: [600, 100_000] } as const

for (const [plan, [minute, day]] of Object.entries(plans))
  testApi(`the plan ${plan} permits ${minute} requests a minute and ${day} a day`, async ({ call, direct, world }) => {
    const key = `key_${plan}`
    world.assume('rate-limit.reported', 'day')
    expect(seen(await list({ call }, key)).slice(0, 3)).toEqual([200, String(day), String(day - 1)])
    world.assume('rate-limit.reported', 'minute')
    expect(seen(await list({ call }, key)).slice(0, 3)).toEqual([200, String(minute), String(minute - 2)])
    await spend({ direct }, minute - 3, key)
    for (const status of [200, 429])
      expect(seen(await list({ call }, key)).slice(0, 3)).toEqual([status, String(minute), '0'])
  })

const requests = times(500, 100)

for (const window of windows)
  testApi(`of ${requests} requests at once exactly 60 succeed (${window})`, async ({ call, world }) => {
    world.assume('rate-limit.window', window)
    const answers = await Promise.all(
      Array.from({ length: requests }, () => call('GET', '/v1/apps?limit=1', { key: 'key_free' })),
    )
    const succeeded = answers.filter(({ status }) => status === 200)
    expect(succeeded).toHaveLength(60)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(requests - 60)
    const left = succeeded.map(({ headers }) => Number(headers.get('x-ratelimit-remaining'))).sort((a, b) => a - b)
    expect(left).toEqual(Array.from({ length: 60 }, (_, index) => index))
  })
