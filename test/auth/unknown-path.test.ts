import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

for (const [value, statuses] of Object.entries({ '404-first': [404, 404, 404, 200], checked: [401, 404, 429, 429] }))
  testApi(`with http.unknown-path=${value}, keys and quotas count so there`, async ({ world, call }) => {
    world.assume('http.unknown-path', value as 'checked')
    world.use({ quota: [{ window: 'minute', remaining: 1 }] })
    const answers = [await call('GET', '/v1/nothing', { key: null })]
    for (const path of ['/v1/nothing', '/v1/nothing', '/v1/apps']) answers.push(await call('GET', path))
    expect(answers.map(({ status }) => status)).toEqual(statuses)
  })
