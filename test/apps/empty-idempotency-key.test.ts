import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

testApi('an empty Idempotency-Key is no key', async ({ call }) => {
  const create = () => call('POST', '/v1/apps', { body: { name: 'twice' }, headers: { 'idempotency-key': '' } })
  const [first, second] = [await create(), await create()]
  expect(second.body.id).not.toBe(first.body.id)
})
