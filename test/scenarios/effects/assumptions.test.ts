import { expect } from 'vitest'
import { deployed } from '../../deployments/deploy.ts'
import { statusesOf, testApi } from '../../support/test-api.ts'

testApi(
  'assume overrides the assumptions of the world while the scenario is on',
  async ({ world, call }) => {
    const status = async () => (await call('DELETE', '/plants/987654')).status
    world.assume('plants.delete.unknown', '400')
    world.use({ assume: { 'plants.delete.unknown': '204' } })
    for (let time = 0; time < 2; time++) {
      expect([await status(), world.assumptions['plants.delete.unknown']]).toEqual([204, '204'])
      expect(world.journal.calls().at(-1)!.verdicts).toMatchObject([
        { effect: 'assume', fired: true },
      ])
      world.assume('plants.delete.unknown', '400')
    }
    world.clear()
    expect([await status(), world.assumptions['plants.delete.unknown']]).toEqual([400, '400'])
  },
)

const head = { title: 'Own', description: 'Own', covers: 'Own' }
const scenarios = {
  quiet: { ...head, assume: { 'plants.delete.unknown': 204 } },
  loud: { ...head, assume: { 'plants.delete.unknown': '400', 'plants.delete.status': '200' } },
}
const remove = '/plants/987654'

testApi(
  'the scenario switched on last decides an assumption',
  { scenarios },
  async ({ world, call }) => {
    const status = async () => (await call('DELETE', remove)).status
    expect(await status()).toBe(404)
    const reason = () => world.journal.calls().at(-1)!.reason
    world.use('quiet')
    expect(await status()).toBe(204)
    expect(reason()).toContain('scenario quiet set plants.delete.unknown to 204')
    world.use('loud')
    expect(await status()).toBe(400)
    expect(reason()).toContain('scenario loud set plants.delete.unknown to 400')
    expect(reason()).not.toMatch(/quiet|plants\.delete\.status/)
    world.clear('loud')
    expect(await status()).toBe(204)
    world.clear()
    expect(await status()).toBe(404)
  },
)

const pages = {
  two: { ...head, assume: { 'plants.list.order': 'newest', 'plants.list.limit-default': '20' } },
  one: { ...head, assume: { 'plants.list.limit-default': '100' } },
}

testApi(
  'a reason names what each scenario decided',
  { scenarios: pages },
  async ({ world, call }) => {
    const reason = async () => {
      await call('GET', '/plants')
      return world.journal.calls().at(-1)!.reason
    }
    world.use('two' as 'slow')
    expect(await reason()).toContain(
      'scenario two set plants.list.order to newest and set plants.list.limit-default to 20',
    )
    world.use('one' as 'slow')
    expect(await reason()).toMatch(/scenario two set plants\.list\.order to newest(?! and set)/)
    expect(await reason()).toContain('scenario one set plants.list.limit-default to 100')
  },
)

testApi(
  'a header answers it for one request, in one world',
  { scenarios },
  async ({ greenhouse, call }) => {
    expect(
      (await call('DELETE', remove, { headers: { 'x-greenhouse-scenario': 'quiet' } })).status,
    ).toBe(204)
    greenhouse.world('other').use('loud')
    expect(await statusesOf(call, `DELETE ${remove}`, `DELETE /~other${remove}`)).toEqual([
      404, 400,
    ])
  },
)

testApi('strict-service refuses what it passed over before', async ({ world, call }) => {
  const statuses = async (id: number) =>
    await statusesOf(
      call,
      ['POST /plants', { body: { id, name: 'Ficus', colour: 'green' } }],
      ['POST /v1/apps', { body: { name: 'x', colour: 'green' } }],
      ['POST /plants', { body: { id: id + 1, name: 'Ficus' } }],
    )
  expect(await statuses(5000)).toEqual([200, 201, 200])
  world.use('strict-service')
  expect(await statuses(6000)).toEqual([400, 400, 200])
  world.clear()
  expect(await statuses(7000)).toEqual([200, 201, 200])
})

testApi(
  'legacy-rate-limit-headers changes the unit of the reset, but not Retry-After',
  async ({ world, call }) => {
    const reset = async () => (await call('GET', '/v1/apps')).headers.get('x-ratelimit-reset')
    world.use('legacy-rate-limit-headers')
    expect(await reset()).toBe('30')
    world.use('legacy-rate-limit-headers', { unit: 'epoch-milliseconds' })
    expect(await reset()).toBe(String(Date.parse('2026-03-01T12:01:00Z')))
    world.use('legacy-rate-limit-headers', { unit: 'iso-8601' })
    expect(await reset()).toBe('2026-03-01T12:01:00.000Z')
    world.use('rate-limited-minute')
    expect((await call('GET', '/v1/apps')).headers.get('retry-after')).toBe('60')
    world.clear()
    expect(await reset()).toBe(String(Date.parse('2026-03-01T12:01:00Z') / 1_000))
  },
)

testApi(
  'certificate-fails fails a verified deployment after 30 seconds until cleared',
  async ({ world, call }) => {
    world.use('certificate-fails')
    const { verify, look } = await deployed(call)
    expect((await verify()).state).toBe('issuing_certificate')
    world.clock.advance('30s')
    expect(await look()).toMatchObject({ state: 'failed', failure: { code: 'certificate_failed' } })
    world.clear()
    expect((await verify()).state).toBe('issuing_certificate')
    world.clock.advance('30s')
    expect(await look()).toMatchObject({ state: 'live', failure: null })
  },
)

testApi(
  'deployment-dns-never-found in a header keeps one verification from finding the records',
  async ({ call }) => {
    const { path, verify } = await deployed(call)
    const headers = { 'x-greenhouse-scenario': 'deployment-dns-never-found' }
    expect((await call('POST', `${path}/verify`, { headers })).body.state).toBe('pending_dns')
    expect((await verify()).state).toBe('issuing_certificate')
  },
)
