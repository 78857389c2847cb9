import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

testApi('a list is a JSON array of the plants of the caller, name and tag each', async ({ call }) => {
  const { status, headers, body } = await call('GET', '/plants', { key: 'key_pro_plus' })
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/json')
  expect(body).toEqual([
    { name: 'Paphiopedilum rothschildianum', tag: 'orchid' },
    { name: 'Nepenthes rajah', tag: 'carnivorous' },
    { name: 'Amorphophallus titanum', tag: 'flowering' },
    { name: 'Wollemia nobilis', tag: 'tree' },
  ])
})

testApi('each account of the fixtures has its own plants', async ({ call }) => {
  const counts: Record<string, number> = {}
  for (const key of ['key_free', 'key_lite', 'key_pro', 'key_pro_plus'])
    counts[key] = (await call('GET', '/plants', { key })).body.length
  expect(counts).toEqual({ key_free: 12, key_lite: 0, key_pro: 14, key_pro_plus: 4 })
})

testApi('an account without plants gets an empty array', async ({ call }) => {
  const { status, text } = await call('GET', '/plants', { key: 'key_lite' })
  expect({ status, text }).toEqual({ status: 200, text: '[]' })
})

testApi('a plant without a tag is listed without one', async ({ call }) => {
  const { body } = await call('GET', '/plants', { key: 'key_free' })
  expect(body[9]).toEqual({ name: 'Chlorophytum comosum' })
})

testApi('a limit caps the list', async ({ call }) => {
  const { body } = await call('GET', '/plants?limit=2', { key: 'key_pro_plus' })
  expect(body.map(({ name }: { name: string }) => name)).toEqual(['Paphiopedilum rothschildianum', 'Nepenthes rajah'])
})

testApi('a limit beyond the number of plants lists them all', async ({ call }) => {
  expect((await call('GET', '/plants?limit=4', { key: 'key_pro_plus' })).body).toHaveLength(4)
  expect((await call('GET', '/plants?limit=5', { key: 'key_pro_plus' })).body).toHaveLength(4)
})
