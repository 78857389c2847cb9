import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { pathOf } from './deploy.ts'

testApi('a deployment that is not there is named in the error', async ({ call }) => {
  expect((await call('GET', pathOf('key_pro', 'dep_none'))).body.error).toMatchObject({
    code: 'not_found',
    message: 'The app has no deployment with the id "dep_none".',
  })
})
