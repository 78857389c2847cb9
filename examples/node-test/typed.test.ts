// Node 22.18 and later run TypeScript as it is.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { withWorld } from 'greenhouse-mock/testing'
import type { PlantReply } from 'greenhouse-mock/types'

test(
  'a plant has a name',
  withWorld(async ({ api }, t: TestContext) => {
    const response = await fetch(`${api.plantsUrl}/plants`, {
      headers: { authorization: 'Bearer key_pro' },
    })
    const plants = (await response.json()) as PlantReply[]
    for (const { name } of plants) assert.equal(typeof name, 'string')
    t.diagnostic(`${plants.length} plants`)
  }),
)
