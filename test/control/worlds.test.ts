import { expect } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { testControl, expectControlError, expectInvalid } from '../support/control.ts'
import { version } from '../../package.json'

testControl('tells that it is well', async ({ control, greenhouse }) => {
  greenhouse.world('second')
  expect(await control('GET', '/health')).toMatchObject({
    status: 200,
    body: { status: 'ok', version, worlds: 2 },
  })
  expect(await control('HEAD', '/health')).toMatchObject({ status: 200, text: '' })
})

testControl('starts a world as it is told', async ({ control, greenhouse, call }) => {
  const plants = [{ id: 5, name: 'Fern', account: 'acct_pro' }]
  const given = { seed: 42, scenarios: ['expired-key'] }
  const { status, body } = await control('PUT', '/worlds/checkout', {
    ...given,
    now: '2026-05-05T05:05:05Z',
    frozen: true,
    assumptions: { 'plants.delete.unknown': 204 },
    records: { plants },
  })
  const clock = { frozen: true, now: '2026-05-05T05:05:05.000Z' }
  expect([status, body]).toMatchObject([
    200,
    { ...given, name: 'checkout', clock, journal: { size: 0 } },
  ])
  const world = greenhouse.world('checkout')
  expect(world.records.plants.all()).toEqual(plants)
  expect(world.assumptions['plants.delete.unknown']).toBe('204')
  expect((await call('/~checkout/plants')).status).toBe(401)
  expect((await control('GET', '/worlds')).body.data).toMatchObject([
    { name: 'default' },
    { name: 'checkout' },
  ])
})

testControl('starts a world anew that is there', async ({ control, greenhouse, call }) => {
  await control('PUT', '/worlds/checkout', { seed: 42, records: { plants: [] } })
  await call('/~checkout/plants')
  expect((await control('GET', '/worlds/checkout')).body).toMatchObject({
    seed: 42,
    journal: { size: 1 },
  })
  expect((await control('PUT', '/worlds/checkout', {})).body).toMatchObject({
    seed: 1,
    journal: { size: 0 },
  })
  expect(greenhouse.world('checkout').records.plants.count()).toBe(
    createGreenhouse().world().records.plants.count(),
  )
})

testControl('takes worlds by their names alone', async ({ control, greenhouse }) => {
  for (const name of [
    ['..%2Fx', '%2e%2e%5cx', 'a%00b', 'a%20b'],
    ['%2Fetc%2Fpasswd', 'x'.repeat(65), 'a%0d%0ab', '%C3%A4'],
  ].flat())
    for (const call of ['PUT ', 'GET ', 'DELETE ', 'POST /reset', 'GET /journal.har']) {
      const [method, path] = call.split(' ') as [string, string]
      expectControlError(await control(method, `/worlds/${name}${path}`), 400, 'invalid_world')
    }
  await expectInvalid(control('GET', '/worlds/%zz'), /percent-encoding/)
  for (const name of ['__proto__', 'constructor', 'prototype', 'toString']) {
    expectControlError(await control('GET', `/worlds/${name}`), 404, 'unknown_world')
    expect((await control('PUT', `/worlds/${name}`, {})).body).toMatchObject({ name })
    expect((await control('DELETE', `/worlds/${name}`)).status).toBe(204)
  }
  expect(greenhouse.worlds()).toEqual(['default'])
})

testControl(
  'a read of an unknown world is 404, a write makes it',
  async ({ control, greenhouse }) => {
    for (const path of [
      [
        '',
        '/scenarios',
        '/clock',
        '/journal',
        '/journal.har',
        '/journal/stream',
        '/assumptions',
        '/quotas',
      ],
      ['/records/plants', '/snapshots', '/snapshots/a'],
    ].flat())
      expectControlError(await control('GET', `/worlds/nowhere${path}`), 404, 'unknown_world')
    expectControlError(await control('DELETE', '/worlds/nowhere'), 404, 'unknown_world')
    expect(greenhouse.worlds()).toEqual(['default'])
    expect(
      (await control('PUT', '/worlds/written/scenarios', { active: ['expired-key'] })).status,
    ).toBe(200)
    expect(greenhouse.world('written').scenarios).toEqual(['expired-key'])
  },
)

testControl(
  'deletes a world, and starts the default one anew',
  async ({ control, greenhouse, world }) => {
    greenhouse.world('old')
    world.use('expired-key')
    expect(await control('DELETE', '/worlds/old')).toMatchObject({ status: 204, text: '' })
    expect((await control('DELETE', '/worlds/default')).status).toBe(204)
    expect(greenhouse.worlds()).toEqual(['default'])
    expect(world.scenarios).toEqual([])
  },
)

testControl(
  'a dropped world is 409 until it is deleted',
  { maxWorlds: 2 },
  async ({ control, greenhouse }) => {
    greenhouse.world('first')
    greenhouse.world('second')
    for (const call of ['GET ', 'PUT ', 'GET /journal', 'PATCH /clock', 'POST /reset']) {
      const [method, path] = call.split(' ') as [string, string]
      expectControlError(
        await control(method, `/worlds/first${path}`),
        409,
        'world_dropped',
        /delete it/,
      )
    }
    expect((await control('DELETE', '/worlds/first')).status).toBe(204)
    expect((await control('PUT', '/worlds/first')).status).toBe(200)
  },
)

testControl('takes the scenarios that it shows, with their options', async ({ control, world }) => {
  const path = '/worlds/default/scenarios'
  const active = [{ name: 'expired-key', key: 'any', after: '1h' }, { name: 'rate-limited-plan' }]
  const { body: shown } = await control('PUT', path, { active: [active[0], 'rate-limited-plan'] })
  expect(shown).toMatchObject({ active })
  expect((await control('PUT', path, shown)).body).toEqual(shown)
  expect(world.scenarios).toEqual(['expired-key', 'rate-limited-plan'])
})

testControl(
  'moves the clock from where it sets it, stops it and runs it',
  async ({ control, world }) => {
    const path = '/worlds/default/clock'
    const moved = await control('PATCH', path, {
      now: '2026-01-01T00:00:00Z',
      advance: '90s',
      frozen: true,
    })
    expect(moved.body).toEqual({ now: '2026-01-01T00:01:30.000Z', frozen: true })
    expect((await control('PATCH', path, { frozen: false })).body.frozen).toBe(false)
    expect(world.clock.frozen).toBe(false)
  },
)

testControl('takes snapshots and goes back to them', async ({ control, api, world }) => {
  const path = '/worlds/default/snapshots'
  expect((await control('PUT', `${path}/__proto__`)).body).toEqual({ name: '__proto__' })
  world.records.plants.replace([])
  expect((await control('GET', path)).body).toEqual({ data: [{ name: '__proto__' }] })
  expect((await control('GET', `${path}/__proto__`)).body).toEqual({ name: '__proto__' })
  expect((await control('POST', `${path}/__proto__/restore`)).status).toBe(200)
  expect((await api('GET', '/plants')).body).not.toEqual([])
  expectControlError(await control('GET', `${path}/nope`), 404, 'unknown_snapshot')
  expectControlError(await control('POST', `${path}/nope/restore`), 404, 'unknown_snapshot')
  for (const name of ['..%2Fx', '%2Fetc', 'a%00', 'x'.repeat(65)])
    expectControlError(await control('PUT', `${path}/${name}`), 400, 'invalid_snapshot')
})

testControl('knows no other path or method', async ({ control }) => {
  for (const call of [
    [
      'GET ',
      'POST /',
      'GET /nope',
      'POST /health',
      'GET /health/',
      'GET /HEALTH',
      'PATCH /worlds/default',
    ],
    ['GET /worlds/default/nope', 'DELETE /worlds', 'GET /openapi.yaml'],
  ].flat()) {
    const [method, path] = call.split(' ') as [string, string]
    expectControlError(await control(method, path), 404, 'not_found')
  }
})

testControl('leaves everything else to the API', async ({ call }) => {
  for (const path of [
    '/__greenhousex/health',
    '/__GREENHOUSE/health',
    '//__greenhouse/health',
    '/~default/__greenhouse/health',
    '/%5F_greenhouse/health',
  ])
    expect(await (await call(path)).json()).toMatchObject({ error: 404 })
})

testControl('a world lists the scenarios that are used up', async ({ control, call, world }) => {
  const usedUp = async () => (await control('GET', '/worlds/default')).body.used_up
  world.use('flaky', { failures: 2 })
  world.use('slow', { ms: 1 })
  const seen: string[][] = [await usedUp()]
  for (let sent = 0; sent < 3; sent++) {
    await call('/plants')
    seen.push(await usedUp())
  }
  expect(seen).toEqual([[], [], ['flaky'], ['flaky']])
  world.use('flaky', { failures: 2 })
  expect(await usedUp()).toEqual([])
})

const scenarios = '/worlds/default/scenarios'

testControl(
  'scenarios are inserted at a position; the counts of others stay',
  async ({ control, call, world }) => {
    for (const name of ['flaky', 'slow'] as const) world.use(name)
    const before = world.active
    await call('/plants')
    const add = (active: unknown[], place: unknown) => control('POST', scenarios, { active, place })
    expect((await add(['clock-skew', 'forbidden'], 0)).status).toBe(200)
    expect(world.scenarios).toEqual(['clock-skew', 'forbidden', 'flaky', 'slow'])
    await add(['clock-skew'], 2)
    expect(world.scenarios).toEqual(['forbidden', 'flaky', 'clock-skew', 'slow'])
    await add(['forbidden'], 99)
    expect(world.scenarios).toEqual(['flaky', 'clock-skew', 'slow', 'forbidden'])
    expect(world.toCase().steps!.at(-1)).toMatchObject({ use: [{ name: 'forbidden' }], place: 99 })
    await add([], undefined)
    expect(world.toCase().steps!.at(-1)).toMatchObject({ use: [] })
    expect(world.active[0]).toEqual(before[0])
    await expectInvalid(add(['slow'], -1), /place: expected a place: a whole number, 0 or more/)
    await expectInvalid(control('PUT', scenarios, { active: [], place: 0 }), /place/)
  },
)
