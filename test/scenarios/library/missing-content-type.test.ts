import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi('missing-content-type leaves the body as it is and the header out', async ({ world, call }) => {
  world.use('missing-content-type', { on: 'plants.*' })
  const { headers, body } = await call('GET', '/plants')
  expect(headers.has('content-type')).toBe(false)
  expect(Array.isArray(body)).toBe(true)
  expect((await call('GET', '/v1/apps')).headers.get('content-type')).toBe('application/json')
  world.clear()
  expect((await call('GET', '/plants')).headers.get('content-type')).toBe('application/json')
})
