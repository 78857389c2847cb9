import { createTest, test } from 'greenhouse-mock/vitest'
import { expect } from 'vitest'

createTest({ apps: 'http://apps.test/v1', seed: 1 }).concurrent('a test', ({ world, api }) => {
  world.use('expired-key')
  api.key('key_pro')
})
test('another', async ({ world, api, greenhouse }) => {
  await greenhouse.fetch(new Request(api.plantsUrl + world.name))
  expect(world).toHaveNoViolations()
})
