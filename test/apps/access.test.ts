import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

const ofLite = 'app_ie2w6uf7yst6qjzf'
const unknown = 'app_aaaaaaaaaaaaaaaa'

testApi("another account's app is 404, as one that does not exist, and stays as it was", async ({ call, world }) => {
  const before = world.records.apps.get(ofLite)
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const body = method === 'PATCH' ? { name: 'stolen' } : undefined
    const foreign = await call(method, `/v1/apps/${ofLite}`, { body })
    const missing = await call(method, `/v1/apps/${unknown}`, { body })
    expect(foreign.status, method).toBe(404)
    expect(foreign.body.error.code).toBe(missing.body.error.code)
    expect(foreign.body.error.message.replace(ofLite, unknown)).toBe(missing.body.error.message)
  }
  expect(world.records.apps.get(ofLite)).toEqual(before)
})

testApi('an app belongs to the account, not to the key that made it', async ({ call, world }) => {
  await world.records.keys.create({ secret: 'key_pro_second', account: 'acct_pro' })
  const { body } = await call('POST', '/v1/apps', { body: { name: 'shared' } })
  expect((await call('GET', `/v1/apps/${body.id}`, { key: 'key_pro_second' })).body).toEqual(body)
  expect((await call('DELETE', `/v1/apps/${body.id}`, { key: 'key_pro_second' })).status).toBe(204)
})

testApi('the scope is asked for before the body is read and before the app is looked for', async ({ call }) => {
  expect((await call('POST', '/v1/apps', { key: 'key_readonly', body: '{' })).status).toBe(403)
  expect((await call('DELETE', '/v1/apps/app_aaaaaaaaaaaaaaaa', { key: 'key_readonly' })).status).toBe(403)
})
