import { expect } from 'vitest'
import { toFingerprint } from '../../src/core/secrets/secret-finder.ts'
import { testApi } from '../support/test-api.ts'

const all = [
  ['apps:read', 'apps:write', 'analytics:read', 'webhooks:read', 'webhooks:write', 'deployments:read'],
  ['deployments:write', 'payments:read', 'payments:write', 'plants:read', 'plants:write'],
].flat()

testApi('an account shows its owner and what the key may do, but never the key itself', async ({ call }) => {
  const { status, body, text } = await call('GET', '/v1/account')
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      id: 'acct_pro',
      name: 'Petra Pro',
      email: 'petra@example.com',
      plan: 'pro',
      key: { fingerprint: toFingerprint('key_pro'), scopes: all, expires_at: null },
    },
  })
  expect(text).not.toContain('key_pro')
})

testApi('another key of the same account has its own fingerprint, scopes and expiry', async ({ call, world }) => {
  await world.records.keys.update('key_readonly', { expires_at: '2026-04-01T00:00:00Z' })
  const { body } = await call('GET', '/v1/account', { key: 'key_readonly' })
  expect(body).toMatchObject({
    id: 'acct_pro',
    key: {
      fingerprint: toFingerprint('key_readonly'),
      scopes: ['apps:read', 'analytics:read', 'webhooks:read', 'deployments:read', 'payments:read', 'plants:read'],
      expires_at: '2026-04-01T00:00:00.000Z',
    },
  })
})

testApi('what a scope to write permits to read is among the scopes', async ({ call, world }) => {
  await world.records.keys.update('key_readonly', { scopes: ['payments:write', 'apps:read'] })
  expect((await call('GET', '/v1/account', { key: 'key_readonly' })).body.key.scopes).toEqual([
    'apps:read',
    'payments:read',
    'payments:write',
  ])
})

testApi('the plan is the one that a scenario puts the account on', async ({ call, world }) => {
  await call('PUT', '/v1/subscription', { body: { plan: 'lite' } })
  expect((await call('GET', '/v1/account')).body.plan).toBe('lite')
  world.use({ account: [{ plan: 'pro_plus' }] })
  expect((await call('GET', '/v1/account')).body.plan).toBe('pro_plus')
  expect((await call('GET', '/v1/subscription')).body.plan).toBe('pro_plus')
  world.clear()
  expect((await call('GET', '/v1/account')).body.plan).toBe('lite')
})
