import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

const cases: [accept: string, breaks: boolean][] = [
  ['', false],
  ['application/*', false],
  ['*/*, application/json;q=0', true],
  ['application/*;q=0, application/json', false],
  ['application/json;q=0, application/json', false],
  ['application/json, application/json;q=0', false],
]

for (const [accept, breaks] of cases)
  testApi(`an Accept of "${accept}" ${breaks ? 'excludes' : 'takes'} JSON`, async ({ world, call }) => {
    await call('GET', '/plants', { headers: { accept } })
    expect(world.journal.calls()[0]!.violations?.map(({ rule }) => rule)).toEqual(breaks ? ['accept'] : undefined)
  })
