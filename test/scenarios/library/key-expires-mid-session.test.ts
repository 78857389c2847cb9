import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

testApi('key-expires-mid-session lets keys expire five minutes later on the clock', async ({ world, call }) => {
  world.use('key-expires-mid-session')
  const status = async () => (await call('GET', '/v1/apps')).status
  expect(await status()).toBe(200)
  world.clock.advance('299s')
  expect(await status()).toBe(200)
  world.clock.advance('1s')
  expect(await call('GET', '/v1/apps')).toMatchObject({ status: 401, body: { error: { code: 'invalid_api_key' } } })
  const { secret } = await world.createKey({ account: 'acct_pro' })
  world.clear()
  expect((await call('GET', '/v1/apps', { key: secret })).status).toBe(200)
})
