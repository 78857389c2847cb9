import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'

const at = (time: string | number) => new Date(time).toUTCString()

testApi("Date is the world's time", async ({ call, world }) => {
  for (const path of ['/plants', '/v1/apps', '/v1/nowhere', '/plants/x'])
    expect((await call('GET', path)).headers.get('date'), path).toBe(at(start))
  expect((await call('GET', '/v1/apps', { key: null })).headers.get('date')).toBe(at(start))
  world.clock.advance('400d')
  expect((await call('GET', '/plants')).headers.get('date')).toBe(at(world.clock.now()))
  world.use('maintenance')
  expect((await call('GET', '/plants')).headers.get('date')).toBe(at(world.clock.now()))
})

testApi("with http.date=machine it is the machine's time", async ({ call, world }) => {
  world.assume('http.date', 'machine')
  const before = Math.floor(Date.now() / 1_000) * 1_000
  const date = Date.parse((await call('GET', '/plants')).headers.get('date')!)
  expect(date).toBeGreaterThanOrEqual(before)
  expect(date).toBeLessThanOrEqual(Date.now())
})

testApi('with http.date=absent there is none', async ({ call, world }) => {
  world.assume('http.date', 'absent')
  const { headers } = await call('GET', '/plants')
  expect([...headers.keys()]).toContain('content-type')
  expect(headers.has('date')).toBe(false)
  world.use({ name: 'clock-skew', by: '1h' })
  expect((await call('GET', '/plants')).headers.has('date')).toBe(false)
})

testApi('clock-skew moves it from where it is', async ({ call, world }) => {
  world.use({ name: 'clock-skew', by: '1h' })
  expect((await call('GET', '/plants')).headers.get('date')).toBe(at(Date.parse(start) + 3_600_000))
})

testApi('it shapes every reply, so no reply names it among what it depended on', async ({ call, world }) => {
  await call('GET', '/v1/apps')
  const [entry] = world.journal.calls()
  expect(entry!.assumptions).toContain('apps.list.shape')
  expect(entry!.assumptions).not.toContain('http.date')
})

testApi("a reply that no world gives has the time of the world 'default'", {}, async ({ send, world }) => {
  world.clock.advance('400d')
  const response = await send('/plants', { headers: { 'X-Greenhouse-World': '-no?' } })
  expect(response.status).toBe(400)
  expect(response.headers.get('date')).toBe(at(world.clock.now()))
})
