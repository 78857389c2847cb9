import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { withWorld } from 'greenhouse-mock/testing'

test(
  'deletes twice',
  withWorld(async ({ api }) => {
    const headers = { authorization: 'Bearer key_pro' }
    const { status } = await fetch(`${api.plantsUrl}/plants/4040`, { method: 'DELETE', headers })
    equal(status, 404)
  }),
)
