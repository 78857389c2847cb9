import { expect } from 'vitest'
import { times } from '../support/soak.ts'
import { start, testApi } from '../support/test-api.ts'

const requests = times(500, 100)

for (const window of ['calendar', 'first-request', 'sliding'] as const)
  testApi(
    `of ${requests} requests at once on a budget of 60 exactly 60 succeed (${window})`,
    async ({ call, world }) => {
      world.clock.set(start)
      world.assume('rate-limit.window', window)
      const answers = await Promise.all(
        Array.from({ length: requests }, () => call('GET', '/v1/apps?limit=1', { key: 'key_free' })),
      )
      const succeeded = answers.filter(({ status }) => status === 200)
      expect(succeeded).toHaveLength(60)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(requests - 60)
      const left = succeeded.map(({ headers }) => Number(headers.get('x-ratelimit-remaining'))).sort((a, b) => a - b)
      expect(left).toEqual(Array.from({ length: 60 }, (_, index) => index))
    },
  )
