import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

const origin = 'http://localhost:5173'
const preflight = { origin, 'access-control-request-method': 'POST' }

testApi('a preflight needs no key, has no body and does nothing', async ({ send, world }) => {
  const before = world.records.plants.all()
  const response = await send('/plants', { method: 'OPTIONS', headers: preflight })
  expect(response.status).toBe(204)
  expect(await response.text()).toBe('')
  expect(world.records.plants.all()).toEqual(before)
})

testApi('a preflight spends no budget', async ({ send, call }) => {
  const remaining = async () => Number((await call('GET', '/v1/apps')).headers.get('x-ratelimit-remaining'))
  const before = await remaining()
  await send('/v1/apps', { method: 'OPTIONS', headers: { ...preflight, authorization: 'Bearer key_pro' } })
  expect(await remaining()).toBe(before - 1)
})

testApi('a preflight grants only what it asks for', async ({ send }) => {
  const { headers } = await send('/plants', { method: 'OPTIONS', headers: preflight })
  for (const name of ['headers', 'private-network'])
    expect(headers.has(`access-control-allow-${name}`), name).toBe(false)
})

testApi('headers are granted as they were asked for', async ({ send }) => {
  const asked = { ...preflight, 'access-control-request-headers': 'authorization, content-type, x-greenhouse-scenario' }
  const response = await send('/plants', { method: 'OPTIONS', headers: asked })
  expect(response.headers.get('access-control-allow-headers')).toBe(
    'authorization, content-type, x-greenhouse-scenario',
  )
  const plain = await send('/plants', { method: 'OPTIONS', headers: preflight })
  expect(plain.headers.has('access-control-allow-headers')).toBe(false)
  // The browser would block it. The reply to the request itself says what is wrong.
  const lower = { ...preflight, 'access-control-request-method': 'patch' }
  const allowed = await send('/plants', { method: 'OPTIONS', headers: lower })
  expect(allowed.headers.get('access-control-allow-methods')).toMatch(/PATCH.*, patch$/)
})

testApi('OPTIONS that asks for no method is no preflight', async ({ send }) => {
  const response = await send('/plants', { method: 'OPTIONS', headers: { origin } })
  expect(response.status).toBe(404)
  expect(response.headers.get('access-control-allow-origin')).toBe(origin)
})
