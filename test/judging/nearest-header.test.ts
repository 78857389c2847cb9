import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

testApi('of two headers that are as near to a misspelt one the first is meant', async ({ call, world }) => {
  for (const [name, meant] of [
    ['x-ratelimit-remit', 'X-RateLimit-Limit'],
    ['x-ratelimit-leset', 'X-RateLimit-Reset'],
    ['x-ratelimit-reset1', 'X-RateLimit-Reset'],
  ]) {
    await call('GET', '/plants', { headers: { [name!]: '1' } })
    expect(world.journal.calls().at(-1)!.violations).toMatchObject([
      { rule: 'misspelt-header', message: `The API does not read the header ${name}. Did you mean "${meant}"?` },
    ])
  }
})

testApi('a standard header is not taken for a misspelt one', async ({ call, world }) => {
  const names = 'accept-charset accept-language accept-ranges content-range x-requested-with range cache-control'.split(
    ' ',
  )
  await call('GET', '/plants', { headers: Object.fromEntries(names.map((name) => [name, 'x'])) })
  expect(world.journal.calls().at(-1)!.violations).toBeUndefined()
})
