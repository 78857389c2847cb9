import { expect } from 'vitest'
import { openApp } from '../conversations/chat.ts'
import { testApi } from '../support/test-api.ts'

const paths = [
  '/v1/apps',
  `/v1/apps/${openApp}`,
  '/v1/account',
  '/v1/webhooks',
  '/v1/plans',
  `/v1/apps/${openApp}/usage`,
]

testApi('query parameters that an operation does not have are ignored', async ({ call }) => {
  for (const path of paths) expect((await call('GET', `${path}?limt=1&expand=all`)).status, path).toBe(200)
})

testApi('with apps.unknown-query=reject they are 400 that names them all', async ({ call, world }) => {
  world.assume('apps.unknown-query', 'reject')
  for (const path of paths)
    expect(await call('GET', `${path}?expand=all`), path).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', message: '"expand" is not a query parameter of this operation.' } },
    })
  const { body } = await call('GET', '/v1/apps?limt=1&ordre=asc&limt=2')
  expect(body.error.message).toBe(
    '"limt" is not a query parameter of this operation. Did you mean "limit"? "ordre" is not a query parameter of this operation. Did you mean "order"?',
  )
  const created = await call('POST', '/v1/apps?dry_run=1', { body: { name: '' } })
  expect(created.body.error.message).toBe(
    'name must not be empty. "dry_run" is not a query parameter of this operation.',
  )
  expect((await call('GET', '/v1/apps?limit=1&order=asc')).status).toBe(200)
})
