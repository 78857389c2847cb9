import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi('wrong-content-type lies about a body that is as it should be', async ({ world, call }) => {
  world.use('wrong-content-type', { on: 'plants.*' })
  const { headers, body } = await call('GET', '/plants')
  expect(headers.get('content-type')).toBe('text/plain')
  expect(Array.isArray(body)).toBe(true)
  expect((await call('GET', '/v1/apps')).headers.get('content-type')).toBe('application/json')
  world.use('wrong-content-type', { type: 'application/xml; charset=latin1' })
  expect((await call('GET', '/v1/nowhere')).headers.get('content-type')).toBe('application/json')
  expect((await call('GET', '/v1/apps')).headers.get('content-type')).toBe('application/xml; charset=latin1')
  world.clear()
  expect((await call('GET', '/plants')).headers.get('content-type')).toBe('application/json')
})
