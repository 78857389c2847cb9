import { test } from 'greenhouse-mock/vitest'

test.concurrent('fails after three requests', async ({ api, world, expect }) => {
  const headers = { authorization: 'Bearer key_pro' }
  await fetch(`${api.plantsUrl}/plants?limit=1`, { headers })
  world.use('expired-key')
  await fetch(`${api.appsUrl}/apps`, { headers })
  await fetch(`${api.appsUrl}/nothing`, { headers })
  expect('the reply').toBe('another')
})

test.concurrent('passes', async ({ api, expect }) => {
  expect(
    (await fetch(`${api.appsUrl}/apps?limit=2`, { headers: { authorization: 'Bearer key_pro' } }))
      .status,
  ).toBe(200)
})
