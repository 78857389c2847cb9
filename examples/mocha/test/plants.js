import assert from 'node:assert/strict'
import { withWorld } from 'greenhouse-mock/testing'
import { BudgetSpentError, createClient, KeyRejectedError } from '../client.js'

describe('plants', () => {
  for (const name of ['Ficus', 'Fern'])
    it(
      `has ${name} and no plant of another test`,
      withWorld(async ({ api, world }) => {
        const client = createClient({ ...api, key: 'key_lite' })
        await client.addPlant({ id: 1001, name })
        assert.deepEqual(
          (await client.plants()).map((plant) => plant.name),
          [name],
        )
        assert.equal(world.journal.calls({ operation: 'plants.create', status: 200 }).length, 1)
      }),
    )

  it(
    'does not try an expired key again',
    withWorld(async ({ api, world }) => {
      world.use('expired-key')
      await assert.rejects(createClient({ ...api, key: 'key_pro' }).plants(), KeyRejectedError)
      assert.equal(world.journal.calls().length, 1)
    }),
  )

  it(
    'has requests again in the next minute',
    withWorld(async ({ api, world }) => {
      world.clock.freeze()
      world.use('rate-limited-plan')
      const client = createClient({ ...api, key: 'key_free' })
      await assert.rejects(client.appNames(), BudgetSpentError)
      world.clock.advance('1m')
      assert.ok((await client.appNames()).includes('plant-doctor'))
    }),
  )

  it(
    'still has Mocha’s own context',
    withWorld(async function ({ world }) {
      this.timeout(20_000)
      assert.match(world.name, /^still-has-mocha-s-own-context-/)
    }),
  )
})
