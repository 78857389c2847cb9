import { createTest } from 'greenhouse-mock/vitest'
import { expect } from 'vitest'
import { ask, bases, expected } from './client.mjs'

const test = createTest(bases)

test('the fixture answers at base URLs of its own', async ({ api, world }) => {
  expect(await ask(api.plantsUrl, api.appsUrl, { Authorization: `Bearer ${api.key('key_pro')}` })).toEqual(expected)
  expect(world.journal.calls()).toHaveLength(2)
})
