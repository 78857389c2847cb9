import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

testApi('a request whose body was too large to keep is found by everything else', async ({ world, call }) => {
  await call('POST', '/plants', { body: { id: 5_000, name: 'x'.repeat(3_000_000) } })
  expect(world.journal.calls({ method: 'POST' })).toHaveLength(1)
  expect(world.journal.calls({ account: 'acct_pro', operation: 'plants.create' })).toHaveLength(1)
})

testApi('what stands between two stars of a pattern must be in the path', async ({ world, call }) => {
  await call('GET', '/v1/apps')
  expect(world.journal.calls({ path: '/v1/a*p*s' })).toHaveLength(1)
  expect(world.journal.calls({ path: '/v1/a*z*s' })).toHaveLength(0)
})
