import { expect } from 'vitest'
import { start, testApi } from '../../support/test-api.ts'
import { faulty } from './among.ts'

testApi(
  'every time in a reply is shifted, in its headers and in its body',
  faulty({ kind: 'clock-skew', by: '-1h' }),
  async ({ world, call }) => {
    const right = await call('GET', '/v1/apps')
    world.use('it')
    const { headers, body, text } = await call('GET', '/v1/apps')
    expect(headers.get('date')).toBe('Sun, 01 Mar 2026 11:00:30 GMT')
    expect(Number(headers.get('x-ratelimit-reset'))).toBe(Number(right.headers.get('x-ratelimit-reset')) - 3_600)
    expect(Date.parse(body.data[0].created_at)).toBe(Date.parse(right.body.data[0].created_at) - 3_600_000)
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    world.clear()
    expect((await call('GET', '/v1/apps')).text).toBe(right.text)
  },
)

for (const [unit, toTime] of [
  ['epoch-milliseconds', Number],
  ['iso-8601', (text: string) => Date.parse(text)],
] as const)
  testApi(`X-RateLimit-Reset is off in ${unit}`, faulty({ kind: 'clock-skew', by: '90s' }), async ({ world, call }) => {
    world.assume('rate-limit.reset-unit', unit)
    const right = toTime((await call('GET', '/v1/apps')).headers.get('x-ratelimit-reset')!)
    world.use('it')
    expect(toTime((await call('GET', '/v1/apps')).headers.get('x-ratelimit-reset')!)).toBe(right + 90_000)
  })

testApi(
  'how long to wait is no time, and stays',
  faulty({ kind: 'clock-skew', by: '90s' }),
  async ({ world, call }) => {
    world.assume('rate-limit.reset-unit', 'delta-seconds')
    const right = (await call('GET', '/v1/apps')).headers.get('x-ratelimit-reset')
    world.use('it')
    expect((await call('GET', '/v1/apps')).headers.get('x-ratelimit-reset')).toBe(right)
  },
)

testApi(
  'a text that only looks like a time stays as it is, and a header that is no time as well',
  faulty({ kind: 'headers', set: { 'X-RateLimit-Reset': 'soon' } }, { kind: 'clock-skew', by: '1d' }),
  async ({ world, call }) => {
    const name = '2026-99-99T99:99:99.999Z'
    expect((await call('POST', '/v1/apps', { body: { name } })).status).toBe(201)
    world.use('it')
    const { status, headers, text } = await call('GET', '/v1/apps?limit=100')
    expect([status, headers.get('x-ratelimit-reset')]).toEqual([200, 'soon'])
    expect(text).toContain(`"${name}"`)
    expect((await call('HEAD', '/v1/apps')).headers.get('date')).not.toContain(new Date(start).toUTCString())
  },
)

testApi(
  'a reply that is lost has no time to shift',
  faulty({ kind: 'network-error' }, { kind: 'clock-skew', by: '-1h' }),
  async ({ world, call }) => {
    world.use('it')
    await call('GET', '/v1/apps').catch(() => undefined)
    expect(world.journal.calls().at(-1)!.reason).toBe('scenario it caused a network error')
  },
)
