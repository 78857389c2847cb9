import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

const app = 'app_w33c4cwmhfyfktiv'
const lists: Record<string, string> = {
  apps: '/v1/apps',
  webhooks: '/v1/webhooks',
  deployments: `/v1/apps/${app}/deployments`,
  payments: '/v1/credits',
  plants: '/plants',
}

/** Resources whose write scope includes the read scope. */
const implied = ['webhooks', 'deployments', 'payments']

testApi(
  'only the write scopes of webhooks, deployments and payments imply read, each only its own',
  async ({ call, world }) => {
    for (const name of Object.keys(lists)) {
      world.records.keys.update('key_readonly', { scopes: [`${name}:write` as 'apps:write'] })
      for (const [read, path] of Object.entries(lists)) {
        const { status } = await call('GET', path, { key: 'key_readonly' })
        expect([name, read, status]).toEqual([name, read, read === name && implied.includes(name) ? 200 : 403])
      }
    }
  },
)
