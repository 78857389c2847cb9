import { expect } from 'vitest'
import { liveOf } from '../../src/api/world.ts'
import { adapters } from '../support/adapters.ts'
import { testApi } from '../support/test-api.ts'

const using = (scenario: string) => ({ headers: { 'x-greenhouse-scenario': scenario } })
const head = { title: 'T', description: 'D', covers: 'C' }
const answers = (status: number) => ({ own: { ...head, respond: [{ on: 'plants.list', status }] } })

testApi('the same header means the scenario as it is now, after a reload too', {}, async ({ greenhouse, call }) => {
  greenhouse.reload({ scenarios: answers(501) })
  expect((await call('GET', '/plants', using('own'))).status).toBe(501)
  expect((await call('GET', '/plants', using('own'))).status).toBe(501)
  greenhouse.reload({ scenarios: answers(502) })
  expect((await call('GET', '/plants', using('own'))).status).toBe(502)
})

testApi(
  "the same header is laid over the world's scenarios and assumptions as they are now",
  async ({ world, call }) => {
    const first = async () => (await call('GET', '/plants', using('malformed-plant'))).body[0]
    expect(await first()).toEqual({ name: 42, tag: 'herb' })
    world.use('malformed-plant', { field: 'tag', kind: 'null' })
    expect(await first()).toEqual({ name: 42, tag: null })
    world.clear()
    expect(await first()).toEqual({ name: 42, tag: 'herb' })
    world.assume('plants.list.order', 'newest')
    const newest = (await call('GET', '/plants')).body[0]
    expect(await first()).toEqual({ ...newest, name: 42 })
  },
)

testApi(
  'the count of a header scenario continues across requests, and restarts with a reset',
  async ({ world, call }) => {
    const fails = async () => (await call('GET', '/v1/apps', using('flaky:failures=2'))).status >= 500
    expect([await fails(), await fails(), await fails()]).toEqual([true, true, false])
    world.snapshot('done')
    world.reset()
    expect([await fails(), await fails(), await fails()]).toEqual([true, true, false])
  },
)

testApi('what a scenario of a header counts goes back with a snapshot', async ({ world, call }) => {
  const fails = async () => (await call('GET', '/v1/apps', using('flaky:failures=2'))).status >= 500
  expect(await fails()).toBe(true)
  world.snapshot('one')
  expect([await fails(), await fails()]).toEqual([true, false])
  world.restore('one')
  expect([await fails(), await fails()]).toEqual([true, false])
})

testApi('a key that a header lets expire expires so long after each request', async ({ world, call }) => {
  world.clock.freeze()
  const status = async () => (await call('GET', '/v1/apps', using('expired-key:after=5m'))).status
  expect(await status()).toBe(200)
  world.clock.advance('10m')
  expect(await status()).toBe(200)
})

testApi(
  'a header that names a wire fault is refused once there is a host without a wire',
  {},
  async ({ greenhouse, world }) => {
    const ask = () =>
      greenhouse.fetch(
        new Request('http://any/v1/apps', {
          headers: { authorization: 'Bearer key_pro', ...using('connection-reset:on=plants.list').headers },
        }),
      )
    expect((await ask()).status).toBe(200)
    greenhouse.declareHostWithoutConnections('MSW')
    const refused = await ask()
    expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([
      400,
      'unsupported_fault',
    ])
    expect(world.active).toEqual([])
  },
  adapters.slice(0, 1),
)

testApi(
  'more headers than are kept all mean what they say, again and again in as much memory',
  async ({ world, call }) => {
    const used: number[] = []
    for (let round = 0; round < 3; round++) {
      for (let item = 0; item < 20; item++) {
        const { body } = await call('GET', '/plants?limit=1', using(`malformed-plant:item=${item}`))
        expect(body[0].name === 42).toBe(item === 0)
      }
      world.clear()
      used.push(liveOf(world).memory.used)
    }
    expect(used[2]).toBe(used[1])
  },
)

testApi(
  "the world's scenario and the same one of a header each have a verdict of their own",
  async ({ world, call }) => {
    world.use('malformed-plant', { field: 'tag', item: 100_000 })
    await call('GET', '/plants', using('malformed-plant'))
    expect(
      world.journal
        .calls()
        .at(-1)!
        .verdicts!.map(({ fired }) => fired),
    ).toEqual([false, true])
  },
)
