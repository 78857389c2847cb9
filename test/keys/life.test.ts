import { expect } from 'vitest'
import { testControl, type Controlled } from '../support/control.ts'

const keys = '/worlds/default/keys'

const statusOf = async ({ call }: Controlled, secret: string) =>
  (await call('/v1/account', { headers: { authorization: `Bearer ${secret}` } })).status

testControl('a new key expires on the clock of the world, and not before', async (client) => {
  const { control, greenhouse } = client
  greenhouse.world().clock.freeze()
  const { secret, id } = (await control('POST', keys, { account: 'acct_pro', expires_at: '2026-03-01T13:00:00Z' })).body
  await control('PATCH', '/worlds/default/clock', { now: '2026-03-01T12:59:59.999Z' })
  expect(await statusOf(client, secret)).toBe(200)
  await control('PATCH', '/worlds/default/clock', { advance: '1ms' })
  expect(await statusOf(client, secret)).toBe(401)
  await control('PATCH', `${keys}/${id}`, { expires_at: '2026-03-02T00:00:00Z' })
  expect(await statusOf(client, secret)).toBe(200)
  await control('PATCH', '/worlds/default/clock', { advance: '1d' })
  expect(await statusOf(client, secret)).toBe(401)
})

testControl(
  'a key that is revoked is refused from the next request on, and others of its account are not',
  async (client) => {
    const { control } = client
    const { secret, id } = (await control('POST', keys, { account: 'acct_pro' })).body
    expect(await statusOf(client, secret)).toBe(200)
    await control('PATCH', `${keys}/${id}`, { revoked: true })
    expect([await statusOf(client, secret), await statusOf(client, 'key_pro')]).toEqual([401, 200])
  },
)

testControl('a change leaves what it does not name as it was', async (client) => {
  const { control } = client
  const { id, secret } = (
    await control('POST', keys, { account: 'acct_pro', scopes: ['apps:read'], expires_at: '2027-01-01T00:00:00Z' })
  ).body
  expect((await control('PATCH', `${keys}/${id}`, { revoked: true })).body).toMatchObject({
    id,
    name: null,
    account: 'acct_pro',
    plan: 'pro',
    scopes: ['apps:read'],
    expires_at: '2027-01-01T00:00:00Z',
    revoked: true,
  })
  expect((await control('PATCH', `${keys}/${id}`, { expires_at: null })).body).toMatchObject({
    scopes: ['apps:read'],
    expires_at: null,
    revoked: true,
  })
  expect((await control('PATCH', `${keys}/${id}`, {})).body).toMatchObject({ expires_at: null, revoked: true })
  expect(await statusOf(client, secret)).toBe(401)
})

testControl('a new key belongs to its world, is gone after a reset, and back with a snapshot', async (client) => {
  const { control, call } = client
  await control('PUT', '/worlds/checkout', {})
  const { secret } = (await control('POST', '/worlds/checkout/keys', { account: 'acct_pro' })).body
  const inWorld = async () =>
    (await call('/~checkout/v1/account', { headers: { authorization: `Bearer ${secret}` } })).status
  expect([await inWorld(), await statusOf(client, secret), await statusOf(client, `${secret}@checkout`)]).toEqual([
    200, 401, 200,
  ])
  await control('PUT', '/worlds/checkout/snapshots/made')
  const [{ id }] = (await control('GET', '/worlds/checkout/keys')).body.data.slice(-1)
  await control('PATCH', `/worlds/checkout/keys/${id}`, { revoked: true })
  expect(await inWorld()).toBe(401)
  await control('POST', '/worlds/checkout/snapshots/made/restore')
  expect(await inWorld()).toBe(200)
  await control('POST', '/worlds/checkout/reset')
  expect(await inWorld()).toBe(401)
})
