import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

testApi('a zero with an exponent is 0, however small that is', async ({ call, world }) => {
  world.assume('plants.create.unknown-fields', 'keep')
  const { status, text } = await call('POST', '/plants', {
    body: '{"id":0e-400,"name":"Fern","size":0.00000000000000000000,"age":0e3}',
  })
  expect(status).toBe(200)
  expect(text).toBe('{"size":0,"age":0,"name":"Fern"}')
  expect(world.records.plants.find(({ name }) => name === 'Fern').map(({ id }) => id)).toContain(0)
})
