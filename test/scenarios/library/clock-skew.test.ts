import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi('clock-skew shifts every time in a reply, but not when things happen', async ({ world, call }) => {
  const look = () => call('POST', '/v1/apps', { body: { name: 'x' } })
  const sound = await look()
  world.use('clock-skew', { by: '-90s' })
  const skewed = await look()
  expect(skewed.headers.get('date')).toBe('Sun, 01 Mar 2026 11:59:00 GMT')
  expect([sound.body.created_at, skewed.body.created_at]).toEqual([
    '2026-03-01T12:00:30.000Z',
    '2026-03-01T11:59:00.000Z',
  ])
  expect(Number(skewed.headers.get('x-ratelimit-reset'))).toBe(Number(sound.headers.get('x-ratelimit-reset')) - 90)
  expect(world.records.apps.get(skewed.body.id)!.created_at).toBe(Date.parse('2026-03-01T12:00:30.000Z'))
  for (let left = Number(skewed.headers.get('x-ratelimit-remaining')); left > 0; left--) await call('GET', '/v1/apps')
  expect((await call('GET', '/v1/apps')).headers.get('retry-after'), 'a length of time is no time').toBe('30')
})
