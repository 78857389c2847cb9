import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

const shape = /^req_[a-z2-7]{16}$/

testApi('every request has a unique id, on successes and errors alike', async ({ call }) => {
  const ids = new Set<string>()
  for (let count = 0; count < 5; count++) {
    const answers = [
      await call('GET', '/v1/apps'),
      await call('GET', '/v1/unknown'),
      await call('GET', '/v1/apps', { key: null }),
    ]
    for (const { headers } of answers) ids.add(headers.get('x-request-id')!)
    for (const { headers, body } of answers.slice(1)) expect(body.error.request_id).toBe(headers.get('x-request-id'))
  }
  expect(ids.size).toBe(15)
  for (const id of ids) expect(id).toMatch(shape)
})

testApi('the id is ours, whatever X-Request-Id the client sends', async ({ call }) => {
  const { headers, body } = await call('GET', '/v1/unknown', { headers: { 'x-request-id': 'mine' } })
  expect(headers.get('x-request-id')).toMatch(shape)
  expect(body.error.request_id).toBe(headers.get('x-request-id'))
})

testApi('with errors.request-id-header=absent the id is in the error alone', async ({ call, world }) => {
  world.assume('errors.request-id-header', 'absent')
  expect((await call('GET', '/v1/apps')).headers.has('x-request-id')).toBe(false)
  const { headers, body } = await call('GET', '/v1/unknown')
  expect(headers.has('x-request-id')).toBe(false)
  expect(body.error.request_id).toMatch(shape)
})
