import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

testApi('a list over 8 MiB is refused, and says how to ask for less', async ({ world, call }) => {
  for (let id = 901; id <= 908; id++)
    world.records.plants.create({ id, account: 'acct_pro', name: 'é'.repeat(530_000), tag: 'long' })
  const { status, body } = await call('GET', '/plants')
  expect({ status, body }).toEqual({
    status: 400,
    body: { error: 400, message: 'The list would be longer than 8 MiB. Ask for fewer plants with limit.' },
  })
  world.assume('plants.list.limit-name', 'max')
  expect((await call('GET', '/plants')).body.message).toContain('fewer plants with max.')
  world.assume('plants.list.order', 'newest')
  expect((await call('GET', '/plants?max=7')).body).toHaveLength(7)
  world.records.plants.delete(908)
  expect((await call('GET', '/plants')).status).toBe(200)
  const { text } = await call('GET', '/plants?max=7')
  const name = 'x'.repeat(2 ** 23 - Buffer.byteLength(text + ',{"name":""}'))
  world.records.plants.create({ id: 909, account: 'acct_pro', name })
  expect((await call('GET', '/plants?max=8')).status).toBe(200)
  world.records.plants.update(909, { name: name + 'x' })
  expect((await call('GET', '/plants?max=8')).status).toBe(400)
})

testApi('a single plant is listed, however long its name is', async ({ world, call }) => {
  world.assume('plants.list.order', 'newest')
  world.records.plants.create({ id: 901, account: 'acct_pro', name: 'x'.repeat(9 * 2 ** 20) })
  expect((await call('GET', '/plants?limit=1')).status).toBe(200)
  expect((await call('GET', '/plants')).status).toBe(400)
})
