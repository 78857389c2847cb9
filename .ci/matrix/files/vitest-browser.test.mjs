import { createTest, test as bare } from 'greenhouse-mock/vitest'
import { ask, bases, expected } from './client.mjs'

const test = createTest(bases)

test('MSW answers', async ({ api, world, expect }) => {
  const headers = { Authorization: `Bearer ${api.key('key_pro')}` }
  expect(await ask(bases.plants, bases.apps, headers)).toEqual(expected)
  expect(world).toHaveReceived('plants.list')
})

test('each test has its own world', async ({ api, world, expect }) => {
  world.use('expired-key')
  const { status } = await fetch(`${api.plantsUrl}/plants`, {
    headers: { Authorization: 'Bearer key_pro' },
  })
  expect([status, world.journal.size]).toEqual([401, 1])
})

test.fails('a request that names no world makes a test fail', () => fetch(`${bases.plants}/plants`))

bare.fails('a page has no server', ({ api }) => void api)
