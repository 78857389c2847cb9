import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

testApi('a key with an @ that names no world is an unknown key, and nothing of it comes back', async ({ call }) => {
  const { status, text } = await call('GET', '/v1/apps', { key: 'sk_live_abc@!!secret' })
  expect(status).toBe(401)
  expect(text).not.toContain('secret')
})
