import { expect } from 'vitest'
import { testApi, type Client } from '../support/test-api.ts'

const status = async (call: Client['call'], authorization: string) =>
  (await call('GET', '/v1/apps', { key: null, headers: { authorization } })).status

testApi('the scheme is taken in any letter case', async ({ call }) => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
    expect(await status(call, `${scheme} key_pro`), scheme).toBe(200)
})

testApi('with auth.scheme-case=exact only Bearer is taken', async ({ call, world }) => {
  world.assume('auth.scheme-case', 'exact')
  expect(await status(call, 'Bearer key_pro')).toBe(200)
  for (const scheme of ['bearer', 'BEARER', 'bEaReR']) {
    const answer = await call('GET', '/v1/apps', { key: null, headers: { authorization: `${scheme} key_pro` } })
    expect(answer.status, scheme).toBe(401)
    expect(answer.body.error.code, scheme).toBe('missing_api_key')
  }
})
