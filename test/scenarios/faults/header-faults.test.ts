import { expect } from 'vitest'
import { start, testApi } from '../../support/test-api.ts'
import { throughCore } from '../helpers.ts'

testApi('headers are set, removed and repeated whatever their case', async ({ world, call }) => {
  world.use({
    fault: [
      {
        kind: 'headers',
        set: { 'x-ratelimit-remaining': '-1', 'Retry-After': 5 },
        remove: ['x-request-ID'],
        repeat: ['x-ratelimit-limit', 'X-Nowhere'],
      },
      { kind: 'headers', repeat: ['Content-Type', 'content-type'] },
    ],
  })
  const { headers } = await call('GET', '/v1/apps')
  expect(headers.get('content-type')).toBe('application/json, application/json')
  const names = [
    'x-ratelimit-remaining',
    'retry-after',
    'x-ratelimit-limit',
    'x-request-id',
    'x-nowhere',
  ]
  expect(names.map((name) => headers.get(name))).toEqual(['-1', '5', '300, 300', null, null])
})

testApi('a HEAD has the same headers', async ({ world, call }) => {
  const set = { 'Content-Type': 'text/html', 'X-Extra': 'yes' }
  world.use({ fault: [{ kind: 'headers', set, repeat: ['X-Extra'] }] })
  const { headers, text } = await call('HEAD', '/plants')
  expect([headers.get('content-type'), headers.get('x-extra'), text]).toEqual([
    'text/html',
    'yes, yes',
    '',
  ])
})

testApi('headers that are as they are to be are not changed', async ({ world, call }) => {
  world.use({
    fault: [{ kind: 'headers', set: { 'X-RateLimit-Limit': '300' }, remove: ['X-None'] }],
  })
  world.use({ fault: [{ kind: 'headers', on: 'apps.delete', set: { 'X-A': 'a' } }] })
  await call('GET', '/v1/apps')
  expect(world.journal.calls().at(-1)).not.toHaveProperty('reason')
  await call('DELETE', '/v1/apps/none')
  expect(world.journal.calls().at(-1)!.reason).toMatch(/; scenario inline-2 changed the headers$/)
})

for (const [unit, toTime, shift] of [
  ['epoch-milliseconds', Number, 90_000],
  ['iso-8601', (text: string) => Date.parse(text), 90_000],
  // How long to wait is no time.
  ['delta-seconds', Number, 0],
] as const)
  testApi(
    `clock-skew shifts X-RateLimit-Reset in ${unit} by ${shift} ms`,
    async ({ world, call }) => {
      world.assume('rate-limit.reset-unit', unit)
      const right = toTime((await call('GET', '/v1/apps')).headers.get('x-ratelimit-reset')!)
      world.use({ fault: [{ kind: 'clock-skew', by: '90s' }] })
      expect(toTime((await call('GET', '/v1/apps')).headers.get('x-ratelimit-reset')!)).toBe(
        right + shift,
      )
    },
  )

testApi(
  'a text or a header that only looks like a time stays as it is',
  async ({ world, call }) => {
    const name = '2026-99-99T99:99:99.999Z'
    expect((await call('POST', '/v1/apps', { body: { name } })).status).toBe(201)
    world.use({ fault: [{ kind: 'headers', set: { 'X-RateLimit-Reset': 'soon' } }] })
    world.use({ fault: [{ kind: 'clock-skew', by: '1d' }] })
    const { status, headers, text } = await call('GET', '/v1/apps?limit=100')
    expect([status, headers.get('x-ratelimit-reset')]).toEqual([200, 'soon'])
    expect(text).toContain(`"${name}"`)
    expect((await call('HEAD', '/v1/apps')).headers.get('date')).not.toContain(
      new Date(start).toUTCString(),
    )
  },
)

testApi('a reply that is lost has no time to shift', async ({ world, call }) => {
  world.use({ fault: [{ kind: 'network-error' }, { kind: 'clock-skew', by: '-1h' }] })
  await call('GET', '/v1/apps').catch(() => undefined)
  expect(world.journal.calls().at(-1)!.reason).toBe('scenario inline-1 caused a network error')
})

const names = (body: any) => body.data.map((app: any) => app.name)

testApi(
  'a GET is answered as it first was, with its age, until it is cleared',
  async ({ world, call }) => {
    world.use('stale-replies')
    const first = await call('GET', '/v1/apps?limit=100')
    expect(first.headers.has('age')).toBe(false)
    expect((await call('POST', '/v1/apps', { body: { name: 'New' } })).status).toBe(201)
    world.clock.advance('90s')
    const second = await call('GET', '/v1/apps?limit=100')
    expect([second.text, second.headers.get('age')]).toEqual([first.text, '90'])
    expect(second.headers.get('content-length')).toBe(first.headers.get('content-length'))
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    world.clear()
    expect(names((await call('GET', '/v1/apps?limit=100')).body)).toContain('New')
  },
)

testApi('a snapshot keeps what a cache remembers', async ({ world, call }) => {
  world.use('stale-replies')
  const first = await call('GET', '/v1/apps?limit=1')
  world.snapshot('cached')
  await call('GET', '/v1/apps?limit=2')
  world.restore('cached')
  const second = await call('GET', '/v1/apps?limit=1')
  expect([second.text, second.headers.get('age')]).toEqual([first.text, '0'])
  expect((await call('GET', '/v1/apps?limit=2')).headers.has('age')).toBe(false)
})

testApi(
  'other URLs, other callers, errors and HEAD are not remembered together',
  async ({ world, call }) => {
    world.use({ fault: [{ kind: 'stale' }] })
    expect((await call('GET', '/v1/apps', { key: 'nobody' })).status).toBe(401)
    const pro = await call('GET', '/v1/apps?limit=1')
    expect((await call('GET', '/v1/apps?limit=2')).body.data).toHaveLength(2)
    expect((await call('GET', '/v1/apps?limit=1', { key: 'key_lite' })).text).not.toBe(pro.text)
    expect((await call('GET', '/v1/apps', { key: 'nobody' })).status).toBe(401)
    expect((await call('HEAD', '/v1/apps?limit=1')).headers.has('age')).toBe(false)
  },
)

throughCore(
  'at most 1,000 replies and 1 MiB are remembered, the latest ones',
  async ({ world, call }) => {
    world.use({ fault: [{ kind: 'stale' }] })
    const isOld = async (number: number) =>
      (await call('GET', `/plants?limit=${number}`)).headers.has('age')
    for (let number = 0; number < 1_000; number++) expect(await isOld(number)).toBe(false)
    expect([await isOld(0), await isOld(1_000), await isOld(0), await isOld(2)]).toEqual([
      true,
      false,
      false,
      true,
    ])
    world.use('malformed-plant', { kind: 'huge' })
    for (let number = 2_000; number <= 2_010; number++) expect(await isOld(number)).toBe(false)
    expect([await isOld(2_001), await isOld(2_000)]).toEqual([true, false])
  },
)

testApi('a success without a body is as good as any other', async ({ world, call }) => {
  for (const reply of [{ status: 200 }, { status: 200, text: '' }]) {
    world.useOnly([{ respond: [reply], fault: [{ kind: 'stale' }] }])
    expect(await call('GET', '/plants')).toMatchObject({ status: 200, text: '' })
    const second = await call('GET', '/plants')
    expect([second.status, second.text, second.headers.get('age')]).toEqual([200, '', '0'])
  }
})

testApi('a reply in pieces is remembered as any other', async ({ world, call }) => {
  const reply = { request: 'GET /plants', key: 'key_pro', status: 200, pieces: ['[', ']'] }
  world.use({ recorded: [{ replies: [reply] }], fault: [{ kind: 'stale' }] })
  expect((await call('GET', '/plants')).text).toBe('[]')
  expect((await call('GET', '/plants')).headers.get('age')).toBe('0')
})

testApi('a moved time that is written shorter makes a shorter reply', async ({ world, call }) => {
  world.use({ respond: [{ status: 200, body: '+002026-01-01T00:00:00.000Z' }] })
  world.use('clock-skew', { by: '-1h' })
  const { headers, text } = await call('GET', '/plants')
  expect([text, headers.get('content-length')]).toEqual(['"2025-12-31T23:00:00.000Z"', '26'])
})

testApi(
  'clock-skew shifts every time in headers and body, but not when things happen',
  async ({ world, call }) => {
    const look = () => call('POST', '/v1/apps', { body: { name: 'x' } })
    const sound = await look()
    world.use('clock-skew', { by: '-90s' })
    const skewed = await look()
    expect(skewed.headers.get('date')).toBe('Sun, 01 Mar 2026 11:59:00 GMT')
    expect([sound.body.created_at, skewed.body.created_at]).toEqual([
      start,
      '2026-03-01T11:59:00.000Z',
    ])
    expect(Number(skewed.headers.get('x-ratelimit-reset'))).toBe(
      Number(sound.headers.get('x-ratelimit-reset')) - 90,
    )
    expect(skewed.headers.get('content-length')).toBe(String(Buffer.byteLength(skewed.text)))
    expect(world.records.apps.get(skewed.body.id)!.created_at).toBe(Date.parse(start))
    for (let left = Number(skewed.headers.get('x-ratelimit-remaining')); left > 0; left--)
      await call('GET', '/v1/apps')
    expect(
      (await call('GET', '/v1/apps')).headers.get('retry-after'),
      'a length of time is no time',
    ).toBe('30')
  },
)

testApi('duplicated-headers lets a client see a header twice', async ({ world, call }) => {
  world.use('duplicated-headers', { on: 'apps.*' })
  expect((await call('GET', '/v1/apps')).headers.get('content-type')).toBe(
    'application/json, application/json',
  )
  world.use('duplicated-headers', { header: 'x-ratelimit-limit' })
  expect((await call('GET', '/v1/apps')).headers.get('x-ratelimit-limit')).toBe('300, 300')
  expect(() => world.use('duplicated-headers', { header: 'Content-Length' })).toThrow(
    /Greenhouse sets it itself/,
  )
})

testApi(
  'the content type is missing or wrong, and the body is as it should be',
  async ({ world, call }) => {
    const sound = await call('GET', '/plants')
    for (const [scenario, type] of [
      ['missing-content-type', null],
      ['wrong-content-type', 'text/plain'],
      ['wrong-content-type:type=application/xml', 'application/xml'],
    ] as const) {
      world.useOnly([scenario as 'wrong-content-type'])
      const { headers, text } = await call('GET', '/plants')
      expect([headers.get('content-type'), text], scenario).toEqual([type, sound.text])
    }
    expect((await call('GET', '/v1/nowhere')).headers.get('content-type')).toBe('application/json')
  },
)

const named = (headers: Headers) =>
  ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`))

testApi(
  'rate limit headers can be nonsense or absent, and limits still apply',
  async ({ world, call }) => {
    world.use('wrong-rate-limit-headers')
    expect(named((await call('GET', '/v1/apps')).headers)).toEqual(['60', '99999', '1'])
    world.useOnly(['no-rate-limit-headers', 'rate-limited-minute'])
    const { status, headers } = await call('GET', '/v1/apps')
    expect([status, ...named(headers), headers.get('retry-after')]).toEqual([
      429,
      null,
      null,
      null,
      null,
    ])
    world.clear()
    expect(named((await call('GET', '/v1/apps')).headers)).toEqual(['300', '298', '1772366460'])
  },
)
