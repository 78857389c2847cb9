import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { start, testApi } from '../../support/test-api.ts'
import { answered, faulty, hold, pause, posting, throughConnections } from '../helpers.ts'

testApi('two delays add up', async ({ world, send }) => {
  for (const fixed of ['10m', 1_200_000]) world.use({ fault: [{ kind: 'delay', fixed }] })
  const { reply, arrived } = hold(send, '/plants')
  await answered(world)
  world.clock.advance('29m')
  await pause()
  expect(arrived()).toBe(false)
  world.clock.advance('1m')
  expect((await reply).status).toBe(200)
})

testApi('a reply without a body is held back as any other', async ({ world, send }) => {
  world.use({ fault: [{ kind: 'delay', fixed: '10m' }] })
  const head = hold(send, '/plants', { method: 'HEAD' })
  const gone = hold(send, '/plants/101', { method: 'DELETE' })
  await answered(world, 2)
  await pause()
  expect([head.arrived(), gone.arrived()]).toEqual([false, false])
  world.clock.advance('10m')
  expect([(await head.reply).status, await (await head.reply).text()]).toEqual([200, ''])
  expect((await gone.reply).ok).toBe(true)
})

throughConnections(
  'a delay before a reset lets the client wait for it',
  async ({ world, send }) => {
    world.use({ fault: [{ kind: 'reset' }, { kind: 'delay', fixed: '10m' }] })
    const { reply, arrived } = hold(send, '/plants')
    await answered(world)
    await pause()
    expect(arrived()).toBe(false)
    world.clock.advance('10m')
    await expect(reply).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  },
)

testApi('no delay at all is none', async ({ world, call }) => {
  world.use({
    fault: [
      { kind: 'delay', fixed: 0 },
      { kind: 'delay', uniform: { min: 0, max: 0 } },
      { kind: 'delay', lognormal: { median: 0, sigma: 5 } },
    ],
  })
  expect((await call('GET', '/plants')).status).toBe(200)
  expect(world.journal.calls().at(-1)!.scenarios).toEqual(['inline-1'])
})

testApi(
  'jittery delays by its bounds, so replies overtake each other, alike with the same seed',
  async (client) => {
    const { world, send } = client
    const play = async () => {
      world.reset()
      world.clock.freeze()
      world.use('jittery', { 'min-ms': 3_600_000, 'max-ms': 36_000_000 })
      const order: number[] = []
      const replies = []
      for (let place = 0; place < 6; place++) {
        replies.push(
          hold(send, place % 2 === 0 ? '/plants' : '/v1/apps').reply.then(() => order.push(place)),
        )
        await answered(world, place + 1)
      }
      world.clock.advance(3_599_999)
      await pause()
      expect(order).toEqual([])
      for (let step = 0; step < 272; step++) {
        world.clock.advance('2m')
        await new Promise((resolve) => setTimeout(resolve, 0))
      }
      await Promise.all(replies)
      return order
    }
    const first = await play()
    expect(await play()).toEqual(first)
    expect(first).not.toEqual([0, 1, 2, 3, 4, 5])
  },
)

test('each delay draws its own lengths', async () => {
  const uniform = { min: '1s', max: '10h' }
  const faults = ['plants.*', 'apps.*'].map((on) => ({ kind: 'delay', on, uniform }))
  const lastOf = async (...paths: string[]) => {
    const greenhouse = createGreenhouse({ now: start, frozen: true, ...faulty(...faults) })
    const world = greenhouse.world()
    world.use('it')
    const headers = { authorization: 'Bearer key_pro' }
    const held = paths.map((path) =>
      greenhouse.fetch(new Request(`http://greenhouse.test${path}`, { headers })),
    )
    await answered(world, paths.length)
    world.clock.advance('1d')
    await Promise.all(held)
    return world.journal.calls().at(-1)!.reason
  }
  expect(await lastOf('/v1/apps')).toMatch(/delayed the reply by \d+ ms/)
  expect(await lastOf('/plants', '/v1/apps')).toBe(await lastOf('/v1/apps'))
  expect(await lastOf('/v1/apps', '/v1/apps')).not.toBe(await lastOf('/v1/apps'))
})

test('delays with a long tail are spread as a lognormal distribution is', async () => {
  const greenhouse = createGreenhouse({
    now: start,
    ...faulty({ kind: 'delay', lognormal: { median: '100s', sigma: 1 } }),
  })
  const world = greenhouse.world()
  world.clock.freeze()
  world.use('it')
  const held = Array.from({ length: 300 }, () =>
    greenhouse.fetch(new Request('http://greenhouse.test/plants')),
  )
  await answered(world, 300)
  const draws = world.journal
    .calls()
    .map(({ reason }) =>
      Math.log(Number(/delayed the reply by (\d+) ms/.exec(reason!)![1]) / 100_000),
    )
  world.clock.advance('1d')
  await Promise.all(held)
  const within = (size: number) =>
    draws.filter((draw) => Math.abs(draw) < size).length / draws.length
  expect(draws.filter((draw) => draw < 0).length / draws.length).toBeCloseTo(0.5, 1)
  expect(within(1)).toBeCloseTo(0.683, 1)
  expect(within(2)).toBeCloseTo(0.954, 1)
  expect(within(4.5)).toBe(1)
})

for (const name of ['slow', 'very-slow'] as const)
  testApi(
    `${name} holds replies back and does what was asked for at once`,
    async ({ world, send }) => {
      world.use(name, { ms: 600_000 })
      const { reply, arrived } = hold(send, '/plants', posting({ id: 9001, name: 'Fern' }))
      await answered(world)
      expect(world.records.plants.get(9001)).toBeDefined()
      world.clock.advance(599_999)
      await pause()
      expect(arrived()).toBe(false)
      world.clock.advance(1)
      expect((await reply).ok).toBe(true)
    },
  )

testApi(
  'slow-then-fails keeps a request waiting, then fails it, and nothing was done',
  async ({ world, send }) => {
    world.use('slow-then-fails', { ms: 600_000, error: 'not_found' })
    const before = world.records.apps.all()
    const { reply, arrived } = hold(send, '/v1/apps', posting({ name: 'Never' }))
    await answered(world)
    world.clock.advance(599_999)
    await pause()
    expect(arrived()).toBe(false)
    world.clock.advance(1)
    expect((await reply).status).toBe(404)
    expect(world.records.apps.all()).toEqual(before)
  },
)

testApi(
  'long-tail releases some replies by the median, and all by the maximum',
  async ({ world, send }) => {
    world.use('long-tail', { 'median-ms': 3_600_000, sigma: 2, 'max-ms': 36_000_000 })
    let arrived = 0
    const replies = []
    for (let place = 0; place < 16; place++) {
      replies.push(hold(send, '/plants').reply.then(() => arrived++))
      await answered(world, place + 1)
    }
    world.clock.advance(3_600_000)
    await Promise.race(replies)
    await pause()
    expect(arrived).toBeLessThan(16)
    world.clock.advance(32_400_000)
    await Promise.all(replies)
    expect(arrived).toBe(16)
  },
)
