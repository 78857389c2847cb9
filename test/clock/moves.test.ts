import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { start, testApi } from '../support/test-api.ts'
import { expectInvalid, testControl } from '../support/control.ts'

const begin = Date.parse(start)
const hour = 3_600_000

testApi('advance moves on by any length of time, with fractions', async ({ world: { clock } }) => {
  for (const [length, expected] of [
    ['250ms', 250],
    ['90s', 90_000],
    ['5m', 300_000],
    ['2h', 2 * hour],
    ['1d', 24 * hour],
    ['1h30m', 1.5 * hour],
    ['1d2h3m4s5ms', 26 * hour + 184_005],
    ['1.5h', 1.5 * hour],
    ['1.25h', 1.25 * hour],
    ['0.125s', 125],
    ['12.0625m', 723_750],
    ['-1.75d', -42 * hour],
    ['1.25h0.5m', 1.25 * hour + 30_000],
    ['10.10s', 10_100],
    ['0s', 0],
    ['-1h', -hour],
    ['-1h30m', -1.5 * hour],
    [1_234, 1_234],
    [-5, -5],
    [0, 0],
  ] as const) {
    clock.set(start)
    clock.advance(length)
    expect(clock.now(), String(length)).toBe(begin + expected)
  }
})

testApi('set goes to a point in time', async ({ world: { clock } }) => {
  for (const [time, expected] of [
    ['2030-01-01T00:00:00Z', Date.UTC(2030, 0, 1)],
    ['2030-01-01T02:00:00+02:00', Date.UTC(2030, 0, 1)],
    ['2030-01-01', Date.UTC(2030, 0, 1)],
    [0, 0],
    [1_700_000_000_123, 1_700_000_000_123],
  ] as const) {
    clock.set(time)
    expect(clock.now()).toBe(expected)
  }
})

testApi(
  'an invalid time or length is an error that quotes it, and time stays',
  async ({ world: { clock } }) => {
    for (const length of [
      [
        '',
        's',
        '90',
        '90 s',
        '1y',
        'soon',
        '1h-5m',
        '--1h',
        '+1h',
        '1e3s',
        NaN,
        Infinity,
        -Infinity,
      ],
      ['1.h', '.5h', '1..5h', '1.5', '1,5h', '1.5.5h', '1h-1m', ' 1h', '1h ', '1 h'],
      ['9'.repeat(400) + 's', undefined, null, {}],
    ].flat()) {
      expect(() => clock.advance(length as string), String(length)).toThrow(RangeError)
      expect(() => clock.advance(length as string), String(length)).toThrow(
        'Failed to read the duration',
      )
    }
    for (const time of [
      ['', 'soon', 'now', '2026', '2026-13-01', '2026-01-01T25:00:00Z'],
      [NaN, Infinity, undefined, null, {}],
    ].flat())
      expect(() => clock.set(time as string), String(time)).toThrow(RangeError)
    expect(() => clock.advance('90 s')).toThrow(/"90 s".*"90s"/)
    expect(() => clock.set('soon')).toThrow(/"soon".*ISO 8601/)
    expect(() => clock.schedule('soon', () => undefined)).toThrow(RangeError)
    expect([clock.now(), clock.frozen]).toEqual([begin, true])
  },
)

testApi('a frozen clock stands still, also after a move', async ({ world: { clock } }) => {
  clock.advance('1m')
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect([clock.now(), clock.frozen]).toEqual([begin + 60_000, true])
  clock.freeze()
  expect(clock.now()).toBe(begin + 60_000)
})

testApi(
  'a clock that runs goes on from where it stood, and from where it is set',
  async ({ world: { clock } }) => {
    clock.run()
    expect(clock.frozen).toBe(false)
    const passes = async (from: number) => {
      while (clock.now() === from) await new Promise((resolve) => setTimeout(resolve, 1))
      expect(clock.now()).toBeGreaterThan(from)
      expect(clock.now()).toBeLessThan(from + 3_600_000)
    }
    await passes(begin)
    clock.set('2040-01-01T00:00:00Z')
    await passes(Date.UTC(2040, 0, 1))
    clock.run()
    clock.freeze()
    const stopped = clock.now()
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(clock.now()).toBe(stopped)
  },
)

testApi(
  'work can move the clock on, and the move that did the work does not take it back',
  async ({ world }) => {
    const { clock } = world
    const done: number[] = []
    for (const move of [() => clock.advance('1h'), () => clock.set(begin + hour)]) {
      clock.set(start)
      clock.schedule(begin + hour / 2, () => clock.advance('3h'))
      clock.schedule(begin + 3 * hour, () => done.push(clock.now()))
      move()
      expect(clock.now()).toBe(begin + 3.5 * hour)
    }
    expect(done).toEqual([begin + 3 * hour, begin + 3 * hour])
    clock.set(start)
    clock.schedule(begin + hour / 2, () => clock.set(start))
    clock.advance('1h')
    expect(clock.now()).toBe(begin + hour)
  },
)

const none = [
  [
    '2027-02-29',
    '2026-02-29T12:00:00Z',
    '2028-02-30',
    '2100-02-29',
    '2026-04-31T00:00:00Z',
    '2026-13-01',
  ],
  ['2026-00-10', '2026-01-00', '2026-01-31T24:00:00Z', '+002027-02-29'],
].flat()
const some = [
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ['2000-02-29T12:00:00Z', '2000-02-29T12:00:00.000Z'],
  ['+002028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ['2026-12-31T23:59:00.999Z', '2026-12-31T23:59:00.999Z'],
  ['2026-02-28T23:00:00-02:00', '2026-03-01T01:00:00.000Z'],
] as const

for (const time of none)
  test(`${time} is no time, wherever one is read`, () => {
    const greenhouse = createGreenhouse()
    const world = greenhouse.world()
    expect(() => createGreenhouse({ now: time })).toThrow(RangeError)
    expect(() => world.clock.set(time)).toThrow(/Failed to read the time/)
    expect(() => world.reset({ now: time })).toThrow(RangeError)
  })

for (const [time, is] of some)
  test(`${time} is a time`, () => {
    const { clock } = createGreenhouse({ now: time, frozen: true }).world()
    expect(new Date(clock.now()).toISOString()).toBe(is)
  })

const now = '2026-03-01T12:00:30.000Z'

test('with the option frozen the clocks of all worlds are frozen at the start and after a reset', () => {
  expect(createGreenhouse({ now }).world().clock.frozen).toBe(false)
  const greenhouse = createGreenhouse({ now, frozen: true })
  for (const world of [greenhouse.world(), greenhouse.world('checkout')]) {
    expect([world.clock.frozen, world.clock.now()]).toEqual([true, Date.parse(now)])
    world.clock.run()
    expect(world.clock.frozen).toBe(false)
    world.reset()
    expect([world.clock.frozen, world.clock.now()]).toEqual([true, Date.parse(now)])
    world.reset({ now: '2030-01-01T00:00:00Z' })
    expect([world.clock.frozen, world.clock.now()]).toEqual([
      true,
      Date.parse('2030-01-01T00:00:00Z'),
    ])
  }
})

const first = '1970-01-01T00:00:00.000Z'
const last = '9999-12-31T23:59:59.999Z'

/** Times that there are and that no clock shows, written in every way. */
const beyond = [
  ['+275760-09-13T00:00:00Z', '+010000-01-01T00:00:00Z', '1969-12-31T23:59:59.999Z', '0004-02-29'],
  ['-000001-01-01', 8.64e15, -8.64e15, -1, 253_402_300_800_000],
].flat()

const range = /the years 1970 to 9999/

test('a clock is set to a time in the years 1970 to 9999, wherever it is set', () => {
  const greenhouse = createGreenhouse()
  const world = greenhouse.world()
  world.clock.freeze()
  for (const time of beyond) {
    const before = world.clock.now()
    expect(() => createGreenhouse({ now: time })).toThrow(range)
    expect(() => world.clock.set(time)).toThrow(range)
    expect(() => world.reset({ now: time })).toThrow(range)
    expect(world.clock.now()).toBe(before)
  }
})

test('a move that would leave these years is refused, and time stays', () => {
  const { clock } = createGreenhouse({ now: last }).world()
  clock.freeze()
  const before = clock.now()
  expect(() => clock.advance(1 + Date.parse(last) - before)).toThrow(range)
  expect(() => clock.advance('-3000000d')).toThrow(range)
  expect(() => clock.advance('9999999d')).toThrow(/at most 10,000 years \(3652500d\)/)
  expect(() => clock.advance(Number.MAX_VALUE)).toThrow(/at most 10,000 years/)
  expect(() => clock.advance(NaN)).toThrow(/expected a number with a unit/)
  for (const time of ['+010000-01-01T00:00:00Z', '-000001-12-31T23:59:59Z'])
    expect(() => clock.schedule(time, () => {})).toThrow(/the years 0000 to 9999/)
  expect(clock.now()).toBe(before)
})

testControl(
  'the control API rejects these times',
  { frozen: true },
  async ({ control, greenhouse, world }) => {
    const before = world.clock.now()
    for (const now of beyond) {
      await expectInvalid(control('PATCH', '/worlds/default/clock', { now }), range)
      await expectInvalid(control('PUT', '/worlds/other', { now }), range)
    }
    for (const advance of ['-60000d', '3000000d'])
      await expectInvalid(control('PATCH', '/worlds/default/clock', { advance }), range)
    expect(world.clock.now()).toBe(before)
    expect(greenhouse.worlds()).toEqual(['default'])
  },
)

testControl(
  'records with times out of range are rejected, stored or as fixtures',
  async ({ control }) => {
    const app = {
      id: 'app_1',
      account: 'acct_pro',
      name: 'a',
      model: 'sprout-1',
      login_required: false,
    }
    const put = (times: object) =>
      control('PUT', '/worlds/default/records/apps', { data: [{ ...app, ...times }] })
    for (const created_at of [
      '+275760-09-13T00:00:00Z',
      '-000001-01-01T00:00:00Z',
      '36501d ago',
      '-36501d ago',
    ])
      await expectInvalid(put({ created_at }), /created_at/)
    for (const at of [8.64e15, 1e300])
      await expectInvalid(put({ created_at: at, updated_at: at }), /created_at/)
    await expectInvalid(
      put({ created_at: 8.64e15, updated_at: 0 }),
      /created_at.*the years 0000 to 9999/,
    )
    expect((await put({ created_at: 1, updated_at: 1 })).status).toBe(200)
  },
)

for (const now of [first, last])
  testApi(
    `everything answers at the end of time, ${now}, and moves away from it`,
    { now },
    async ({ world, call }) => {
      for (const kind of ['30d', 'month'] as const) {
        world.assume('payments.period', kind)
        expect((await call('GET', '/v1/subscription', { key: 'key_lite' })).status).toBe(200)
      }
      for (const window of ['calendar', 'first-request', 'sliding'] as const)
        for (const unit of [
          'epoch-seconds',
          'delta-seconds',
          'epoch-milliseconds',
          'iso-8601',
        ] as const) {
          world.assume({ 'rate-limit.window': window, 'rate-limit.reset-unit': unit })
          const { status, headers } = await call('GET', '/v1/apps?limit=1')
          expect([status, headers.get('x-ratelimit-reset')]).toEqual([
            200,
            expect.not.stringMatching(/NaN|^[+-]/),
          ])
        }
      const created = await call('POST', '/v1/apps', {
        body: { name: 'x' },
        headers: { 'idempotency-key': 'k' },
      })
      expect([created.status, created.body.created_at]).toEqual([201, now])
      const bought = await call('POST', '/v1/credits/purchases', {
        body: { amount: 1, payment_method: 'pm_ok' },
      })
      expect(bought.status).toBe(201)
      expect((await call('DELETE', '/v1/subscription', { key: 'key_lite' })).status).toBe(200)
      const hook = await call('POST', '/v1/webhooks', { body: { url: 'http://127.0.0.1:9/' } })
      expect(
        (await call('POST', `/v1/webhooks/${hook.body.id}/rotate-secret`)).status,
      ).toBeLessThan(500)
      const usage = `/v1/apps/${created.body.id}/usage?interval=`
      for (const interval of ['hour', 'day', 'month'])
        for (const query of [
          [
            '',
            '&to=9999-12-31T23:59:59Z',
            '&from=0000-01-01',
            '&to=0000-01-01',
            '&from=9999-12-31',
          ],
          ['&from=9999-12-01&to=9999-12-31T23:59:59Z'],
        ].flat())
          expect(
            (await call('GET', usage + interval + query)).status,
            interval + query,
          ).toBeLessThan(500)
      expect((await call('GET', `${usage}month`)).status).toBe(200)
      for (const scenario of ['expired-key', 'clock-skew', 'rate-limited-plan']) {
        const { status } = await call('GET', '/v1/apps', {
          headers: { 'x-greenhouse-scenario': scenario },
        })
        expect(status).toBeLessThan(500)
      }
      expect(world.journal.calls()[0]!.at).toBe(now)
      world.clock.advance(now === first ? '400d' : '-400d')
      await world.settled()
      expect((await call('GET', '/v1/apps')).status).toBe(200)
    },
  )

testApi(
  'work that is due after the last time never happens',
  { now: last },
  async ({ world, call }) => {
    world.clock.advance('-1s')
    const { body } = await call('POST', '/v1/credits/purchases', {
      body: { amount: 1, payment_method: 'pm_ok' },
    })
    world.clock.set(last)
    expect((await call('GET', `/v1/credits/purchases/${body.id}`)).body.status).toBe('pending')
    world.clock.run()
    world.clock.advance(0)
    expect((await call('GET', '/v1/apps')).status).toBe(200)
  },
)

test('work that is due in an impossible year is refused', () => {
  const { clock } = createGreenhouse().world()
  expect(() => clock.schedule('+012026-03-01T12:00:00Z', () => undefined)).toThrow(
    'Failed to read the time "+012026-03-01T12:00:00Z": expected a time in the years 0000 to 9999.',
  )
})

testApi('a key may expire in any year with four digits', async ({ world, call }) => {
  await world.records.keys.update('key_free', { expires_at: '9999-12-31T23:59:59Z' })
  expect((await call('GET', '/v1/apps', { key: 'key_free' })).status).toBe(200)
  await world.records.keys.update('key_free', { expires_at: '0000-01-01T00:00:00Z' })
  expect((await call('GET', '/v1/apps', { key: 'key_free' })).status).toBe(401)
})
