// Two tests that fail, and one that passes, to show what is printed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withWorld } from 'greenhouse-mock/testing'

const headers = { authorization: 'Bearer key_pro' }

test(
  'fails, and prints its requests',
  withWorld(async ({ api, world }) => {
    world.use('server-error')
    const response = await fetch(`${api.appsUrl}/apps`, { headers })
    assert.equal(response.status, 200)
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
    assert.equal((await fetch(`${api.appsUrl}/apps`, { headers })).status, 200)
  }),
)
