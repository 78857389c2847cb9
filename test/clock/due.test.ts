import { expect, vi } from 'vitest'
import { start, testApi } from '../support/test-api.ts'

const begin = Date.parse(start)

testApi('due work is done in the order of its times, with the clock at each of them', async ({ world: { clock } }) => {
  const done: [string, number][] = []
  const due = (name: string, after: number) =>
    clock.schedule(begin + after, () => done.push([name, clock.now() - begin]))
  due('c', 3_000)
  due('a', 1_000)
  due('b1', 2_000)
  due('b2', 2_000)
  due('later', 60_000)
  clock.advance('10s')
  expect(done).toEqual([
    ['a', 1_000],
    ['b1', 2_000],
    ['b2', 2_000],
    ['c', 3_000],
  ])
  expect(clock.now()).toBe(begin + 10_000)
  clock.set(begin + 60_000)
  expect(done.at(-1)).toEqual(['later', 60_000])
})

testApi('work that due work asks for within the same move is done, too, in its turn', async ({ world: { clock } }) => {
  const done: [string, number][] = []
  const note = (name: string) => done.push([name, clock.now() - begin])
  clock.schedule(begin + 1_000, () => {
    note('first')
    clock.schedule(clock.now() + 1_000, () => {
      note('second')
      clock.schedule(clock.now() + 60_000, () => note('much later'))
    })
  })
  clock.schedule(begin + 3_000, () => note('third'))
  clock.advance('10s')
  expect(done).toEqual([
    ['first', 1_000],
    ['second', 2_000],
    ['third', 3_000],
  ])
  clock.advance('1m')
  expect(done.at(-1)).toEqual(['much later', 62_000])
})

testApi('work is done at its very time, not before', async ({ world: { clock } }) => {
  const work = vi.fn()
  clock.schedule('2026-03-01T12:01:00Z', work)
  clock.advance('29999ms')
  expect(work).not.toHaveBeenCalled()
  clock.advance('1ms')
  expect(work).toHaveBeenCalledOnce()
})

testApi('work that was taken back is not done', async ({ world: { clock } }) => {
  const done: string[] = []
  const cancel = clock.schedule(begin + 1_000, () => done.push('cancelled'))
  clock.schedule(begin + 1_000, () => done.push('kept'))
  clock.schedule(begin + 500, () => cancelLater())
  const cancelLater = clock.schedule(begin + 2_000, () => done.push('cancelled by other work'))
  cancel()
  cancel()
  clock.advance('1m')
  expect(done).toEqual(['kept'])
})

testApi('going back and on again does nothing twice', async ({ world: { clock } }) => {
  const work = vi.fn()
  clock.schedule(begin + 1_000, work)
  clock.advance('1m')
  clock.advance('-1h')
  clock.advance('2h')
  expect(work).toHaveBeenCalledOnce()
})

testApi('work that is not yet done waits while the clock goes back', async ({ world: { clock } }) => {
  const work = vi.fn()
  clock.schedule(begin + 1_000, work)
  clock.advance('-1h')
  clock.advance('1h')
  expect(work).not.toHaveBeenCalled()
  clock.advance('1s')
  expect(work).toHaveBeenCalledOnce()
})

testApi('a frozen clock does nothing by itself', async ({ world: { clock } }) => {
  const work = vi.fn()
  clock.schedule(begin + 1, work)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(work).not.toHaveBeenCalled()
})

testApi('a running clock does due work by itself', async ({ world: { clock } }) => {
  const done = new Promise<void>((resolve) => clock.schedule(begin + 10, resolve))
  clock.run()
  await done
  expect(clock.now()).toBeGreaterThanOrEqual(begin + 10)
})

testApi('work that is already due runs at once, even while time stands still', async ({ world: { clock } }) => {
  await new Promise<void>((resolve) => clock.schedule(begin - 1_000, resolve))
  expect(clock.now()).toBe(begin)
})

testApi('work that is years away is not done early', async ({ world: { clock } }) => {
  const work = vi.fn()
  clock.run()
  clock.schedule('9999-01-01T00:00:00Z', work)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(work).not.toHaveBeenCalled()
  clock.set('9999-01-01T00:00:00Z')
  expect(work).toHaveBeenCalledOnce()
})

testApi('a reset forgets what is due', async ({ world }) => {
  const work = vi.fn()
  const { clock } = world
  clock.schedule(begin + 1_000, work)
  world.reset()
  world.clock.freeze()
  world.clock.advance('1h')
  clock.advance('1h')
  expect(work).not.toHaveBeenCalled()
})

testApi('work that throws is reported, and time and other work go on', async ({ world: { clock }, call }) => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  try {
    const work = vi.fn()
    clock.schedule(begin + 1_000, () => {
      throw new Error('no')
    })
    clock.schedule(begin + 2_000, work)
    clock.advance('10s')
    expect(work).toHaveBeenCalledOnce()
    expect(clock.now()).toBe(begin + 10_000)
    expect(told).toHaveBeenCalledOnce()
    expect((await call('GET', '/plants')).status).toBe(200)
  } finally {
    told.mockRestore()
  }
})

testApi('work can change the world', async ({ world, call }) => {
  world.clock.schedule(begin + 1_000, () => world.use('server-error'))
  world.clock.schedule(begin + 2_000, () => void world.records.plants.delete(101))
  expect((await call('GET', '/plants')).status).toBe(200)
  world.clock.advance('5s')
  expect((await call('GET', '/plants')).status).toBe(500)
  expect(world.records.plants.get(101)).toBeUndefined()
})

testApi('keys expire by the clock of the world', async ({ world, call }) => {
  await world.records.keys.update('key_free', { expires_at: '2026-03-01T13:00:00Z' })
  const status = async () => (await call('GET', '/v1/apps', { key: 'key_free' })).status
  expect(await status()).toBe(200)
  world.clock.set('2026-03-01T12:59:59.999Z')
  expect(await status()).toBe(200)
  world.clock.advance(1)
  expect(await status()).toBe(401)
  world.clock.set(start)
  expect(await status()).toBe(200)
})

testApi('timestamps are those of the clock', async ({ world, call }) => {
  world.clock.set('2040-05-06T07:08:09.010Z')
  const { body } = await call('POST', '/v1/apps', { body: { name: 'x' } })
  expect(body.created_at).toBe('2040-05-06T07:08:09.010Z')
  world.clock.advance('1d')
  expect((await call('PATCH', `/v1/apps/${body.id}`, { body: { name: 'y' } })).body).toMatchObject({
    created_at: '2040-05-06T07:08:09.010Z',
    updated_at: '2040-05-07T07:08:09.010Z',
  })
})

testApi('rate windows, Retry-After and the journal follow the same clock', async ({ world, call }) => {
  for (let count = 0; count < 60; count++) await call('GET', '/v1/apps', { key: 'key_free' })
  const limited = await call('GET', '/v1/apps', { key: 'key_free' })
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '30'])
  world.clock.advance('20s')
  expect((await call('GET', '/v1/apps', { key: 'key_free' })).headers.get('retry-after')).toBe('10')
  world.clock.advance('10s')
  expect((await call('GET', '/v1/apps', { key: 'key_free' })).status).toBe(200)
  expect(world.journal.calls().at(-1)!.at).toBe('2026-03-01T12:01:00.000Z')
})

testApi('going back in time grants no quota, nor does going back and on again', async ({ world, call }) => {
  for (const mode of ['calendar', 'first-request', 'sliding'] as const) {
    world.reset()
    world.clock.freeze()
    world.clock.set(start)
    world.assume('rate-limit.window', mode)
    const status = async () => (await call('GET', '/v1/apps?limit=1', { key: 'key_free' })).status
    for (let count = 0; count < 60; count++) expect(await status()).toBe(200)
    for (const by of ['-1m', '-1h', '-1d', '-400d']) {
      world.clock.advance(by)
      expect(await status(), `${mode} ${by}`).toBe(429)
    }
    world.clock.set(start)
    expect(await status()).toBe(429)
    world.clock.advance('61s')
    expect(await status()).toBe(200)
  }
})

testApi('advancing by years starts new rate windows, once', async ({ world, call }) => {
  const remaining = async () =>
    (await call('GET', '/v1/apps?limit=1', { key: 'key_free' })).headers.get('x-ratelimit-remaining')
  for (let count = 0; count < 10; count++) await remaining()
  world.clock.advance('3650d')
  expect([await remaining(), await remaining()]).toEqual(['59', '58'])
})

testApi('an Idempotency-Key is forgotten by the clock of the world', async ({ world, call }) => {
  const create = async () =>
    (await call('POST', '/v1/apps', { body: { name: 'x' }, headers: { 'idempotency-key': 'k' } })).body.id
  const first = await create()
  world.clock.advance('23h59m59s')
  expect(await create()).toBe(first)
  world.clock.advance('1s')
  expect(await create()).not.toBe(first)
})
