import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'
import { answered, hold, pause } from '../faults/held.ts'

testApi(
  'jittery holds each reply back between its bounds, so that they overtake each other',
  async ({ world, send }) => {
    world.use('jittery', { 'min-ms': 3_600_000, 'max-ms': 36_000_000 })
    const order: number[] = []
    const replies = []
    for (let place = 0; place < 8; place++) {
      replies.push(hold(send, '/plants').reply.then(() => order.push(place)))
      await answered(world, place + 1)
    }
    world.clock.advance(3_599_999)
    await pause()
    expect(order).toEqual([])
    for (let step = 0; step < 320; step++) {
      world.clock.advance('2m')
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
    await Promise.all(replies)
    expect(order.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(order).not.toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  },
)

testApi('jittery holds back only what is meant, and refuses bounds in the wrong order', async ({ world, call }) => {
  world.use('jittery', { 'min-ms': 600_000, 'max-ms': 600_000, on: 'apps.*' })
  expect((await call('GET', '/plants')).status).toBe(200)
  world.clear()
  expect((await call('GET', '/v1/apps')).status).toBe(200)
  expect(() => world.use('jittery', { 'min-ms': 2, 'max-ms': 1 })).toThrow(/expected max to be at least min/)
})
