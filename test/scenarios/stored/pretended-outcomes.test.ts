import { expect } from 'vitest'
import { testApi } from '../../support/test-api.ts'

const headers = { 'idempotency-key': 'once' }

testApi(
  'an Idempotency-Key refused under a pretended plan is decided again once that is cleared',
  async ({ call, world }) => {
    const create = () => call('POST', '/v1/apps', { body: { name: 'one more' }, headers })
    world.use('plan-downgrade')
    expect((await create()).status).toBe(403)
    world.clear()
    expect((await create()).status).toBe(201)
  },
)

testApi(
  'a create permitted by a pretended plan is done once, even when retried after it is cleared',
  async ({ call, world }) => {
    for (let number = 0; world.records.apps.count({ account: 'acct_free' }) < 5; number++)
      await call('POST', '/v1/apps', { key: 'key_free', body: { name: `app ${number}` } })
    const create = () => call('POST', '/v1/apps', { key: 'key_free', body: { name: 'one more' }, headers })
    world.use('plan-upgrade')
    const made = await create()
    world.clear()
    expect(await create()).toMatchObject({ status: 201, text: made.text })
    expect(world.records.apps.count({ account: 'acct_free' })).toBe(6)
  },
)

testApi(
  'an Idempotency-Key is replayed within one scenario store only, not in another or the world',
  async ({ call, world }) => {
    const create = () => call('POST', '/v1/apps', { body: { name: 'one more' }, headers })
    const before = world.records.apps.count()
    world.use('empty-store')
    const made = await create()
    expect(await create()).toMatchObject({ status: 201, text: made.text })
    expect((await call('GET', '/v1/apps')).body.data).toHaveLength(1)
    for (const scenarios of [[{ name: 'huge-store', count: 1 }], []] as const) {
      world.useOnly(scenarios)
      const anew = await create()
      expect([anew.status, anew.headers.get('idempotent-replayed')]).toEqual([201, null])
    }
    expect(world.records.apps.count()).toBe(before + 1)
  },
)
