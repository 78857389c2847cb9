import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'
import { answered, hold, pause } from '../faults/held.ts'

for (const name of ['slow', 'very-slow'] as const) {
  testApi(`${name} holds replies back and does what was asked for at once`, async ({ world, send }) => {
    world.use(name, { ms: 600_000 })
    const { reply, arrived } = hold(send, '/plants', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"id":9001,"name":"Fern"}',
    })
    await answered(world)
    expect(world.records.plants.get(9001)).toBeDefined()
    world.clock.advance(599_999)
    await pause()
    expect(arrived()).toBe(false)
    world.clock.advance(1)
    expect((await reply).ok).toBe(true)
  })

  testApi(`${name} holds back only what is meant, and nothing once it is cleared`, async ({ world, send, call }) => {
    world.use(name, { ms: 600_000, on: 'apps.*' })
    expect((await call('GET', '/plants')).status).toBe(200)
    const { reply } = hold(send, '/v1/apps')
    await answered(world, 2)
    world.clear()
    expect((await call('GET', '/v1/apps')).status).toBe(200)
    world.clock.advance('10m')
    expect((await reply).status).toBe(200)
  })

  testApi(`${name} takes no length below nothing`, async ({ world }) => {
    expect(() => world.use(name, { ms: -1 })).toThrow(
      /"ms" takes a whole number of milliseconds, 0 or more; -1 was given/,
    )
    expect(world.scenarios).toEqual([])
  })
}

testApi('a single request can name slow, and others are not delayed', async ({ world, send, call }) => {
  const { reply, arrived } = hold(send, '/plants', { headers: { 'x-greenhouse-scenario': 'slow:ms=600000' } })
  await answered(world)
  expect((await call('GET', '/plants')).status).toBe(200)
  expect(arrived()).toBe(false)
  world.clock.advance('10m')
  expect((await reply).status).toBe(200)
})
