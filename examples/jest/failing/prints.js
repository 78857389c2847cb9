// Two tests that fail, and one that passes, to show what is printed.

const { withWorld } = require('greenhouse-mock/testing')

const headers = { authorization: 'Bearer key_pro' }

test(
  'fails, and prints its requests',
  withWorld(async ({ api, world }) => {
    world.use('server-error')
    const response = await fetch(`${api.appsUrl}/apps`, { headers })
    expect(response.status).toBe(200)
  }),
)

test(
  'forgets its world',
  withWorld(async ({ api }) => {
    await fetch(`${new URL(api.plantsUrl).origin}/plants`, { headers })
  }),
)

test(
  'passes',
  withWorld(async ({ api }) => {
    expect((await fetch(`${api.appsUrl}/apps`, { headers })).status).toBe(200)
  }),
)
