import assert from 'node:assert/strict'
import { withWorld } from 'greenhouse-mock/testing'

it(
  'lists plants',
  withWorld(async ({ api }) => {
    const response = await fetch(`${api.plantsUrl}/plants`, {
      headers: { authorization: 'Bearer key_pro' },
    })
    assert.equal(response.status, 200)
    assert.equal((await response.json()).length, 14)
  }),
)
