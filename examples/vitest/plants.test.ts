// The client is given base URLs that lead to the test's own world, on a server that the file's
// tests share.
import { test } from 'greenhouse-mock/vitest'
import type { WorldApi } from 'greenhouse-mock/vitest'
import { Client, KeyRejectedError } from './client.ts'

const createClient = (api: WorldApi, key = 'key_pro') => new Client({ ...api, key })

test.concurrent('a plant that was added is listed', async ({ api, world, expect }) => {
  const client = createClient(api, 'key_lite')
  expect(await client.plants()).toEqual([])
  await client.addPlant({ id: 1001, name: 'Ficus', tag: 'tree' })
  expect(await client.plants()).toMatchObject([{ name: 'Ficus' }])
  expect(world.journal.calls({ operation: 'plants.create', status: 200 })).toHaveLength(1)
})

test.concurrent('an expired key is not tried again', async ({ api, world, expect }) => {
  world.use('expired-key')
  await expect(createClient(api).plants()).rejects.toThrow(KeyRejectedError)
  expect(world.journal.calls()).toHaveLength(1)
})

test.concurrent('a key that lasts a month is accepted for a month', async ({
  api,
  world,
  expect,
}) => {
  world.use('expired-key', { after: '30d' })
  const client = createClient(api)
  world.clock.advance('29d')
  await expect(client.plants()).resolves.toHaveLength(14)
  world.clock.advance('1d')
  await expect(client.plants()).rejects.toThrow(KeyRejectedError)
})

test.concurrent('nothing of the other tests is here', async ({ api, world, expect }) => {
  expect(await createClient(api, 'key_lite').plants()).toEqual([])
  expect(world.scenarios).toEqual([])
  expect(world.journal.calls()).toHaveLength(1)
})
