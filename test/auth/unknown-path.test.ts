import { expect } from 'vitest'
import { through } from '../support/through.ts'

for (const [value, statuses] of [
  ['404-first', [404, 404, 404, 404, 200]],
  ['checked', [401, 401, 404, 429, 429]],
] as const)
  through(`with http.unknown-path=${value}, scenarios of keys and quotas act so there`, async ({ world, call }) => {
    world.assume('http.unknown-path', value)
    world.use({ quota: [{ window: 'minute', remaining: 1, where: { plan: 'pro' } }] })
    world.use('expired-key', { key: 'key_lite' })
    const asked: number[] = []
    for (const key of [null, 'key_lite', 'key_pro', 'key_pro'])
      asked.push((await call('GET', '/v1/nothing', { key })).status)
    asked.push((await call('GET', '/v1/apps')).status)
    expect(asked).toEqual(statuses)
  })
