import { expect } from 'vitest'
import { through } from '../../support/through.ts'
import { own } from './own.ts'

through(
  'keys acts on the operations, callers and requests that it names, and leaves the others',
  async ({ world, call }) => {
    world.use('own')
    const statuses: number[] = []
    for (let round = 0; round < 3; round++) statuses.push((await call('GET', '/v1/apps')).status)
    expect(statuses, 'the second request alone').toEqual([200, 401, 200])
    expect((await call('GET', '/plants')).status).toBe(200)
    expect((await call('GET', '/v1/apps', { key: 'key_free' })).status).toBe(200)
  },
  { scenarios: own({ keys: [{ revoke: true, on: 'apps.list', after: 1, times: 1, where: { key: 'key_pro' } }] }) },
)

through(
  'a key that expires under a scenario never lives longer than without',
  async ({ world, call }) => {
    const { secret } = await world.createKey({ account: 'acct_pro', expires_at: '2026-03-01T12:01:00Z' })
    world.use('own')
    world.clock.advance('31s')
    expect((await call('GET', '/v1/apps', { key: secret })).status).toBe(401)
    expect((await call('GET', '/v1/apps')).status).toBe(200)
  },
  { scenarios: own({ keys: [{ expire: '1h' }] }) },
)

through(
  'several changes to a key compose in their order',
  async ({ world, call }) => {
    world.use('own')
    expect([(await call('GET', '/plants')).status, (await call('GET', '/v1/apps')).status]).toEqual([200, 403])
    expect(await call('DELETE', '/plants/101')).toMatchObject({ status: 403 })
  },
  { scenarios: own({ keys: [{ scopes: ['plants:read', 'plants:write'] }, { without: 'plants:write' }] }) },
)
