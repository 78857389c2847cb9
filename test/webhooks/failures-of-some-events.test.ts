import { expect, test } from 'vitest'
import { start } from '../support/test-api.ts'
import { createPlants, open, subscribe } from './open.ts'

const dueIn = ({ world }: ReturnType<typeof open>) =>
  world.records.deliveries
    .all()
    .filter(({ type }) => type === 'plant.created')
    .map(({ next_attempt_at }) => next_attempt_at! - Date.parse(start))
    .sort((one, other) => one - other)

test('an event that is both late and delivered twice comes late, and the second time later still', async () => {
  const client = open()
  client.world.use('webhook-late', { by: '1h' })
  client.world.use('webhook-duplicate', { by: '1m' })
  await subscribe(client, 'http://127.0.0.1:9/none')
  await createPlants(client, 1)
  await client.call('GET', '/v1/apps')
  expect(dueIn(client)).toEqual([3_600_000, 3_660_000])
})

test('a failure of some events leaves the others as they are', async () => {
  const client = open()
  client.world.use('webhook-late', { events: 'app.*' })
  await subscribe(client, 'http://127.0.0.1:9/none')
  await createPlants(client, 2)
  await client.call('GET', '/v1/apps')
  expect(dueIn(client).map((due) => due < 3_600_000)).toEqual([true, true])
})
