import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

for (const path of ['/v1/apps', '/plants'])
  testApi(`rate-limit-nearly-reached counts down to the first 429 of ${path}`, async ({ world, call }) => {
    world.use('rate-limit-nearly-reached')
    const answers: [number, string | null][] = []
    for (let round = 0; round < 4; round++) {
      const { status, headers } = await call('GET', path)
      answers.push([status, headers.get('x-ratelimit-remaining')])
    }
    expect(answers).toEqual([
      [200, '2'],
      [200, '1'],
      [200, '0'],
      [429, '0'],
    ])
  })
