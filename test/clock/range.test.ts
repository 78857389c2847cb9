import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { testControl, expectInvalid } from '../support/control.ts'
import { testApi } from '../support/test-api.ts'

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
  expect(() => clock.advance('9999999d')).toThrow(/at most 10,000 years/)
  expect(() => clock.advance(Number.MAX_VALUE)).toThrow(/at most 10,000 years/)
  expect(() => clock.advance(NaN)).toThrow(/expected a number with a unit/)
  expect(clock.now()).toBe(before)
})

testControl('the control API rejects these times', { frozen: true }, async ({ control, greenhouse, world }) => {
  const before = world.clock.now()
  for (const now of beyond) {
    await expectInvalid(control('PATCH', '/worlds/default/clock', { now }), range)
    await expectInvalid(control('PUT', '/worlds/other', { now }), range)
  }
  for (const advance of ['-60000d', '3000000d'])
    await expectInvalid(control('PATCH', '/worlds/default/clock', { advance }), range)
  expect(world.clock.now()).toBe(before)
  expect(greenhouse.worlds()).toEqual(['default'])
})

testControl('records with times out of range are rejected, stored or as fixtures', async ({ control }) => {
  const app = { id: 'app_1', account: 'acct_pro', name: 'a', model: 'sprout-1', login_required: false }
  const put = (times: object) => control('PUT', '/worlds/default/records/apps', { data: [{ ...app, ...times }] })
  for (const created_at of ['+275760-09-13T00:00:00Z', '-000001-01-01T00:00:00Z', '36501d ago', '-36501d ago'])
    await expectInvalid(put({ created_at }), /created_at/)
  for (const at of [8.64e15, 1e300]) await expectInvalid(put({ created_at: at, updated_at: at }), /created_at/)
  await expectInvalid(put({ created_at: 8.64e15, updated_at: 0 }), /created_at.*the years 0000 to 9999/)
  expect((await put({ created_at: 1, updated_at: 1 })).status).toBe(200)
})

for (const now of [first, last])
  testApi(`everything answers at the end of time, ${now}, and moves away from it`, { now }, async ({ world, call }) => {
    for (const kind of ['30d', 'month'] as const) {
      world.assume('payments.period', kind)
      expect((await call('GET', '/v1/subscription', { key: 'key_lite' })).status).toBe(200)
    }
    for (const window of ['calendar', 'first-request', 'sliding'] as const)
      for (const unit of ['epoch-seconds', 'delta-seconds', 'epoch-milliseconds', 'iso-8601'] as const) {
        world.assume({ 'rate-limit.window': window, 'rate-limit.reset-unit': unit })
        const { status, headers } = await call('GET', '/v1/apps?limit=1')
        expect([status, headers.get('x-ratelimit-reset')]).toEqual([200, expect.not.stringMatching(/NaN|^[+-]/)])
      }
    const created = await call('POST', '/v1/apps', { body: { name: 'x' }, headers: { 'idempotency-key': 'k' } })
    expect([created.status, created.body.created_at]).toEqual([201, now])
    const bought = await call('POST', '/v1/credits/purchases', { body: { amount: 1, payment_method: 'pm_ok' } })
    expect(bought.status).toBe(201)
    expect((await call('DELETE', '/v1/subscription', { key: 'key_lite' })).status).toBe(200)
    const hook = await call('POST', '/v1/webhooks', { body: { url: 'http://127.0.0.1:9/' } })
    expect((await call('POST', `/v1/webhooks/${hook.body.id}/rotate-secret`)).status).toBeLessThan(500)
    const usage = `/v1/apps/${created.body.id}/usage?interval=`
    for (const interval of ['hour', 'day', 'month'])
      for (const query of [
        ['', '&to=9999-12-31T23:59:59Z', '&from=0000-01-01', '&to=0000-01-01', '&from=9999-12-31'],
        ['&from=9999-12-01&to=9999-12-31T23:59:59Z'],
      ].flat())
        expect((await call('GET', usage + interval + query)).status, interval + query).toBeLessThan(500)
    expect((await call('GET', `${usage}month`)).status).toBe(200)
    for (const scenario of ['expired-key', 'clock-skew', 'rate-limited-plan']) {
      const { status } = await call('GET', '/v1/apps', { headers: { 'x-greenhouse-scenario': scenario } })
      expect(status).toBeLessThan(500)
    }
    expect(world.journal.calls()[0]!.at).toBe(now)
    world.clock.advance(now === first ? '400d' : '-400d')
    await world.settled()
    expect((await call('GET', '/v1/apps')).status).toBe(200)
  })

testApi('what falls due after the last time never comes', { now: last }, async ({ world, call }) => {
  world.clock.advance('-1s')
  const { body } = await call('POST', '/v1/credits/purchases', { body: { amount: 1, payment_method: 'pm_ok' } })
  world.clock.set(last)
  expect((await call('GET', `/v1/credits/purchases/${body.id}`)).body.status).toBe('pending')
  world.clock.run()
  world.clock.advance(0)
  expect((await call('GET', '/v1/apps')).status).toBe(200)
})

test('what falls due at a time in no such year is refused', () => {
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
