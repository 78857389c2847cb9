import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

testApi('what a list answered before does not make an invalid query valid', async ({ call }) => {
  expect((await call('GET', '/v1/apps')).status).toBe(200)
  for (const query of ['limit=null', 'cursor=null', 'limit=null&cursor=null'])
    expect((await call('GET', `/v1/apps?${query}`)).status, query).toBe(400)
})
