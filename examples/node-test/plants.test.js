import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withWorld } from 'greenhouse-mock/testing'
import { BudgetSpentError, createClient, KeyRejectedError } from './client.js'

// All of them run at the same time.
describe('plants', { concurrency: true }, () => {
  for (const name of ['Ficus', 'Fern', 'Palm'])
    test(
      `${name} is the only plant of its world`,
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

  test(
    'an expired key is not tried again',
    withWorld(async ({ api, world }) => {
      world.use('expired-key')
      await assert.rejects(createClient({ ...api, key: 'key_pro' }).plants(), KeyRejectedError)
      assert.equal(world.journal.calls().length, 1)
    }),
  )

  test(
    'the next minute has requests again',
    withWorld(async ({ api, world }) => {
      world.clock.freeze()
      world.use('rate-limited-plan')
      const client = createClient({ ...api, key: 'key_free' })
      await assert.rejects(client.appNames(), BudgetSpentError)
      world.clock.advance('1m')
      assert.ok((await client.appNames()).includes('plant-doctor'))
    }),
  )
})
