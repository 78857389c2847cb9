import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

testApi('a created plant comes back with name and tag', async ({ call }) => {
  const { status, headers, body } = await call('POST', '/plants', { body: { id: 1007, name: 'Ficus', tag: 'tree' } })
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/json')
  expect(body).toEqual({ name: 'Ficus', tag: 'tree' })
})

testApi('a plant without a tag comes back without one', async ({ call }) => {
  const { body } = await call('POST', '/plants', { body: { id: 1007, name: 'Ficus' } })
  expect(body).toEqual({ name: 'Ficus' })
})

testApi('a created plant is listed', async ({ call }) => {
  await call('POST', '/plants', { key: 'key_lite', body: { id: 1007, name: 'Ficus', tag: 'tree' } })
  const { body } = await call('GET', '/plants', { key: 'key_lite' })
  expect(body).toEqual([{ name: 'Ficus', tag: 'tree' }])
})

testApi('a name and a tag come back to the letter, in any script', async ({ call }) => {
  const plant = { name: 'Fraisier des bois – 桜 \u{1F331} "q" \\ \u0000 \ud800', tag: '' }
  const { body } = await call('POST', '/plants', { body: { id: 1007, ...plant } })
  expect(body).toEqual(plant)
})
