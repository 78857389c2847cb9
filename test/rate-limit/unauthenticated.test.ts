import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'
import { minuteEnd, rate } from './spend.ts'

const keys = [null, 'key_unknown', 'key_expired', 'key_revoked']
const freePlan = { limit: '60', remaining: '60', reset: String(minuteEnd / 1_000) }

testApi(
  'with rate-limit.unauthenticated=free-plan a 401 shows the unspent numbers of the Free plan',
  async ({ call, world }) => {
    world.assume('rate-limit.unauthenticated', 'free-plan')
    for (const key of [...keys, ...keys]) {
      const answer = await call('GET', '/v1/apps', { key })
      expect(answer.status).toBe(401)
      expect(rate(answer), String(key)).toEqual(freePlan)
      expect(answer.headers.has('retry-after')).toBe(false)
    }
  },
)

testApi('with rate-limit.unauthenticated=absent only a 401 lacks the rate limit headers', async ({ call, world }) => {
  world.assume('rate-limit.unauthenticated', 'absent')
  for (const key of keys) {
    const answer = await call('GET', '/v1/apps', { key })
    expect(answer.status).toBe(401)
    expect(rate(answer), String(key)).toEqual({ limit: null, remaining: null, reset: null })
  }
  expect(rate(await call('GET', '/v1/apps', { key: 'key_free' })).limit).toBe('60')
  expect(rate(await call('GET', '/v1/unknown', { key: 'key_free' })).limit).toBe('60')
})

testApi('the reset of a 401 is that of a window that would begin now', async ({ call, world }) => {
  world.assume('rate-limit.reset-unit', 'epoch-milliseconds')
  for (const [window, length] of [
    ['calendar', 30_000],
    ['first-request', 60_000],
    ['sliding', 60_000],
  ] as const) {
    world.clock.set(start)
    world.assume('rate-limit.window', window)
    expect(rate(await call('GET', '/v1/apps', { key: null })).reset, window).toBe(String(Date.parse(start) + length))
  }
})
