const { greenhouseMatchers } = require('greenhouse-mock/matchers')
const { withWorld } = require('greenhouse-mock/testing')
const { BudgetSpentError, createClient, KeyRejectedError } = require('../client.js')

expect.extend(greenhouseMatchers)

// These run at the same time.
test.concurrent.each(['Ficus', 'Fern', 'Palm'])(
  '%s is the only plant of its world',
  withWorld(async ({ api, world }, name) => {
    const client = createClient({ ...api, key: 'key_lite' })
    await client.addPlant({ id: 1001, name })
    expect(await client.plants()).toEqual([{ name }])
    expect(world.journal.calls({ operation: 'plants.create', status: 200 })).toHaveLength(1)
    expect(world).toHaveNoViolations()
  }),
)

test(
  'an expired key is not tried again',
  withWorld(async ({ api, world }) => {
    world.use('expired-key')
    await expect(createClient({ ...api, key: 'key_pro' }).plants()).rejects.toThrow(
      KeyRejectedError,
    )
    expect(world.journal.calls()).toHaveLength(1)
  }),
)

test(
  'the next minute has requests again',
  withWorld(async ({ api, world }) => {
    world.clock.freeze()
    world.use('rate-limited-plan')
    const client = createClient({ ...api, key: 'key_free' })
    await expect(client.appNames()).rejects.toThrow(BudgetSpentError)
    world.clock.advance('1m')
    expect(await client.appNames()).toContain('plant-doctor')
  }),
)
