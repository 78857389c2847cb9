import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

import { pause } from '../faults/held.ts'

const get = { headers: { authorization: 'Bearer key_pro' } }

testApi(
  "drip sends the headers at once and the body as the world's clock moves on",
  {},
  async ({ world, send, call }) => {
    const whole = (await call('GET', '/plants')).text
    world.use('drip', { 'bytes-per-second': 1 })
    const response = await send('/plants', get)
    expect(response.status).toBe(200)
    let here = false
    const text = response.text().finally(() => (here = true))
    await pause()
    expect(here).toBe(false)
    while (!here) {
      world.clock.advance('1s')
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
    expect(await text).toBe(whole)
  },
)

testApi('drip changes nothing but the pace, of what is meant', async ({ world, send, call }) => {
  const whole = (await call('GET', '/plants')).text
  world.use('drip', { 'bytes-per-second': 1_000_000, on: 'plants.*' })
  const response = await send('/plants', get)
  expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(whole)))
  expect(await response.text()).toBe(whole)
  expect(world.journal.calls({ operation: 'plants.list' }).at(-1)!.scenarios).toEqual(['drip'])
  await call('GET', '/v1/apps')
  expect(world.journal.calls({ operation: 'apps.list' }).at(-1)!.scenarios).toEqual([])
  world.clear()
  await call('GET', '/plants')
  expect(world.journal.calls().at(-1)!.scenarios).toEqual([])
  expect(() => world.use('drip', { 'bytes-per-second': 0 })).toThrow(
    /"bytes-per-second" takes a number of bytes a second from 1/,
  )
})
