// Two tests that fail, and one that passes, to show what is printed.
import { test } from 'greenhouse-mock/vitest'

const headers = { authorization: 'Bearer key_pro' }

test('fails, and prints its requests', async ({ api, world, expect }) => {
  world.use('server-error')
  const response = await fetch(`${api.appsUrl}/apps`, { headers })
  expect(response.status).toBe(200)
})

test('forgets its world', async ({ api }) => {
  await fetch(`${new URL(api.plantsUrl).origin}/plants`, { headers })
})

test('passes', async ({ api, expect }) => {
  expect((await fetch(`${api.appsUrl}/apps`, { headers })).status).toBe(200)
})
