import { expect } from 'vitest'
import { through } from '../support/through.ts'

through('a zero with an exponent is 0, however small that is', async ({ call, world }) => {
  const { status } = await call('POST', '/plants', { body: '{"id":0e-400,"name":"Fern"}' })
  expect(status).toBe(200)
  expect(world.records.plants.find(({ name }) => name === 'Fern').map(({ id }) => Number(id))).toContain(0)
})
