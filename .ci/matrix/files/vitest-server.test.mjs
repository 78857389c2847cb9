import { test } from 'greenhouse-mock/vitest'
import { expect } from 'vitest'
import { ask, expected } from './client.mjs'

test('the fixture serves', async ({ api, world }) => {
  expect(await ask(api.plantsUrl, api.appsUrl, { Authorization: `Bearer ${api.key('key_pro')}` })).toEqual(expected)
  expect(world.journal.calls()).toHaveLength(2)
})
