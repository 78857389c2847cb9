import { expect } from 'vitest'
import { through } from '../support/through.ts'

through('a list over 8 MiB is refused, and says how to ask for less', async ({ world, call }) => {
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
})

through('a single plant is listed, however long its name is', async ({ world, call }) => {
  world.assume('plants.list.order', 'newest')
  world.records.plants.create({ id: 901, account: 'acct_pro', name: 'x'.repeat(9 * 2 ** 20) })
  expect((await call('GET', '/plants?limit=1')).status).toBe(200)
  expect((await call('GET', '/plants')).status).toBe(400)
})
