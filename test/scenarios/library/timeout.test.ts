import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'
import { answered, pause } from '../faults/held.ts'

const create = (signal: AbortSignal): RequestInit => ({
  method: 'POST',
  headers: { authorization: 'Bearer key_pro', 'content-type': 'application/json' },
  body: '{"id":9001,"name":"Fern"}',
  signal,
})

for (const loses of ['request', 'reply'])
  testApi(`timeout lets a client wait until it gives up; the ${loses} was lost`, async ({ world, send, call }) => {
    world.use('timeout', { loses: loses as never, on: '*.create' })
    const giveUp = new AbortController()
    let settled = false
    const request = send('/plants', create(giveUp.signal)).finally(() => (settled = true))
    request.catch(() => undefined)
    await answered(world)
    world.clock.advance('1d')
    await pause()
    expect(settled).toBe(false)
    giveUp.abort()
    await expect(request).rejects.toMatchObject({ name: 'AbortError' })
    expect(world.records.plants.get(9001) !== undefined).toBe(loses === 'reply')
    expect((await call('GET', '/plants')).status).toBe(200)
    world.clear()
    expect((await call('POST', '/plants', { body: { id: 9002, name: 'Fern' } })).status).toBeLessThan(300)
  })
