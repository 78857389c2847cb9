import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { start, testApi } from '../../support/test-api.ts'
import { throughConnections, faulty } from './among.ts'
import { answered, hold, pause } from './held.ts'

testApi(
  'two delays add up',
  faulty({ kind: 'delay', fixed: '10m' }, { kind: 'delay', fixed: 1_200_000 }),
  async ({ world, send }) => {
    world.use('it')
    const { reply, arrived } = hold(send, '/plants')
    await answered(world)
    world.clock.advance('29m')
    await pause()
    expect(arrived()).toBe(false)
    world.clock.advance('1m')
    expect((await reply).status).toBe(200)
  },
)

testApi(
  'a reply without a body is held back as any other',
  faulty({ kind: 'delay', fixed: '10m' }),
  async ({ world, send }) => {
    world.use('it')
    const head = hold(send, '/plants', { method: 'HEAD' })
    const gone = hold(send, '/plants/101', { method: 'DELETE' })
    await answered(world, 2)
    await pause()
    expect([head.arrived(), gone.arrived()]).toEqual([false, false])
    world.clock.advance('10m')
    expect([(await head.reply).status, await (await head.reply).text()]).toEqual([200, ''])
    expect((await gone.reply).ok).toBe(true)
  },
)

testApi(
  'a client that aborts during a delay gets its error at once',
  faulty({ kind: 'delay', fixed: '1d' }),
  async ({ world, send }) => {
    world.use('it')
    const giveUp = new AbortController()
    const { reply } = hold(send, '/plants', { signal: giveUp.signal })
    await answered(world)
    giveUp.abort()
    await expect(reply).rejects.toMatchObject({ name: 'AbortError' })
  },
)

throughConnections(
  'a delay before a reset lets the client wait for it',
  async ({ world, send }) => {
    world.use('it')
    const { reply, arrived } = hold(send, '/plants')
    await answered(world)
    await pause()
    expect(arrived()).toBe(false)
    world.clock.advance('10m')
    await expect(reply).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  },
  faulty({ kind: 'reset' }, { kind: 'delay', fixed: '10m' }),
)

testApi(
  'no delay at all is none',
  faulty(
    { kind: 'delay', fixed: 0 },
    { kind: 'delay', uniform: { min: 0, max: 0 } },
    { kind: 'delay', lognormal: { median: 0, sigma: 5 } },
  ),
  async ({ world, call }) => {
    world.use('it')
    expect((await call('GET', '/plants')).status).toBe(200)
    expect(world.journal.calls().at(-1)!.scenarios).toEqual(['it'])
  },
)

testApi(
  'drawn delays are repeated with the same seed',
  faulty({ kind: 'delay', uniform: { min: '1h', max: '10h' } }),
  async ({ world, send }) => {
    const play = async () => {
      world.reset()
      world.clock.freeze()
      world.use('it')
      const order: number[] = []
      const replies = []
      for (let place = 0; place < 6; place++) {
        replies.push(hold(send, place % 2 === 0 ? '/plants' : '/v1/apps').reply.then(() => order.push(place)))
        await answered(world, place + 1)
      }
      while (order.length < 6) {
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
    const held = paths.map((path) => greenhouse.fetch(new Request(`http://greenhouse.test${path}`, { headers })))
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
  const held = Array.from({ length: 300 }, () => greenhouse.fetch(new Request('http://greenhouse.test/plants')))
  await answered(world, 300)
  const draws = world.journal
    .calls()
    .map(({ reason }) => Math.log(Number(/delayed the reply by (\d+) ms/.exec(reason!)![1]) / 100_000))
  world.clock.advance('1d')
  await Promise.all(held)
  const within = (size: number) => draws.filter((draw) => Math.abs(draw) < size).length / draws.length
  expect(draws.filter((draw) => draw < 0).length / draws.length).toBeCloseTo(0.5, 1)
  expect(within(1)).toBeCloseTo(0.683, 1)
  expect(within(2)).toBeCloseTo(0.954, 1)
  expect(within(4.5)).toBe(1)
})
