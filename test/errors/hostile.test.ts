import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { hostile } from './requests.ts'

const listed = new Set([400, 401, 403, 404, 429, 500])

testApi('hostile requests are answered with a status of the table and a well-formed error', async ({ send }) => {
  for (const { what, status, path, init } of hostile) {
    const response = await send(path, { ...init, headers: { ...init.headers, authorization: 'Bearer key_pro_plus' } })
    const text = await response.text()
    expect(response.status, what).toBe(status)
    expect(response.headers.get('content-type'), what).toBe('application/json')
    if (init.method === 'HEAD') expect(text, what).toBe('')
    else if (status >= 400) {
      expect(listed, what).toContain(status)
      const request_id = response.headers.get('x-request-id')
      expect(JSON.parse(text), what).toEqual({
        error: { code: expect.any(String), message: expect.any(String), request_id },
      })
    }
  }
})

testApi('none of it does harm: the next request is answered as ever', async ({ send, call, world }) => {
  const before = world.records.apps.all()
  for (const { path, init } of hostile.filter(({ status }) => status >= 400))
    await send(path, { ...init, headers: { ...init.headers, authorization: 'Bearer key_pro_plus' } })
  expect(world.records.apps.all()).toEqual(before)
  expect((await call('POST', '/v1/apps', { body: { name: 'x' } })).status).toBe(201)
  expect(Object.keys(Object.prototype)).toEqual([])
})
