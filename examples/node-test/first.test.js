import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withWorld } from 'greenhouse-mock/testing'

test(
  'plants are listed',
  withWorld(async ({ api }) => {
    const response = await fetch(`${api.plantsUrl}/plants`, {
      headers: { authorization: 'Bearer key_pro' },
    })
    assert.equal(response.status, 200)
    assert.equal((await response.json()).length, 14)
  }),
)
