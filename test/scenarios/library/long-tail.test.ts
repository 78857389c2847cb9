import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'
import { answered, hold, pause } from '../faults/held.ts'

testApi(
  'long-tail releases some replies by the median delay, and all of them by the maximum',
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

testApi('long-tail with no tail is the median, on what is meant', async ({ world, send, call }) => {
  world.use('long-tail', { 'median-ms': 600_000, sigma: 0, 'max-ms': 86_400_000, on: 'plants.*' })
  expect((await call('GET', '/v1/apps')).status).toBe(200)
  const { reply, arrived } = hold(send, '/plants')
  await answered(world, 2)
  world.clock.advance(599_999)
  await pause()
  expect(arrived()).toBe(false)
  world.clock.advance(1)
  expect((await reply).status).toBe(200)
  world.clear()
  expect((await call('GET', '/plants')).status).toBe(200)
})
