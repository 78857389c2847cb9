import { expect } from 'vitest'
import { openApp } from '../conversations/chat.ts'
import { testApi, type Answer } from '../support/test-api.ts'

const headers = { 'idempotency-key': 'first' }

/** The parts of a reply that a replay repeats. */
const toReply = ({ status, text, headers }: Answer) => ({ status, text, id: headers.get('x-request-id') })

testApi('a 400 that an operation decided on is replayed with the original request id', async ({ call, world }) => {
  const buy = () =>
    call('POST', '/v1/credits/purchases', { body: { amount: 5, payment_method: 'pm_declined' }, headers })
  const first = await buy()
  expect([first.status, first.body.error.code]).toEqual([400, 'payment_declined'])
  world.clock.advance('5m')
  const again = await buy()
  expect(toReply(again)).toEqual(toReply(first))
  expect(again.body.error.request_id).toBe(again.headers.get('x-request-id'))
  expect([first, again].map((answer) => answer.headers.get('idempotent-replayed'))).toEqual([null, 'true'])
})

testApi('a 403 is replayed, also once its reason is gone', async ({ call, world }) => {
  world.records.apps.replace(
    Array.from({ length: 5 }, (_, index) => ({
      id: `app_${index}`,
      account: 'acct_free',
      name: 'x',
      created_at: 0,
      updated_at: 0,
    })),
  )
  const create = (key: string) =>
    call('POST', '/v1/apps', { key: 'key_free', body: { name: 'sixth' }, headers: { 'idempotency-key': key } })
  const refused = await create('first')
  expect(refused.status).toBe(403)
  world.records.apps.delete('app_0')
  expect(toReply(await create('first'))).toEqual(toReply(refused))
  expect((await create('second')).status).toBe(201)
})

testApi('a 404 is replayed, also once the object is there', async ({ call, world }) => {
  const path = '/v1/apps/app_late/conversations'
  const first = await call('POST', path, { headers })
  expect(first.status).toBe(404)
  await world.records.apps.create({ id: 'app_late', account: 'acct_pro', name: 'late', created_at: 0, updated_at: 0 })
  expect(toReply(await call('POST', path, { headers }))).toEqual(toReply(first))
  expect((await call('POST', path)).status).toBe(201)
})

testApi('with another body after a refusal the key is used up', async ({ call }) => {
  const buy = (payment_method: string) =>
    call('POST', '/v1/credits/purchases', { body: { amount: 5, payment_method }, headers })
  await buy('pm_declined')
  expect((await buy('pm_ok')).body.error.code).toBe('idempotency_key_reused')
})

testApi(
  'refusals by parameters, key, scope, limit or scenario are not remembered for replays',
  async ({ call, world }) => {
    const create = (body: unknown, key = 'key_pro', more: Record<string, string> = {}) =>
      call('POST', '/v1/apps', { key, body, headers: { ...headers, ...more } })
    expect((await create({ name: '' })).status).toBe(400)
    expect((await create({ name: 'x'.repeat(20_000) })).status).toBe(400)
    expect((await create({ name: 'x' }, 'key_unknown')).status).toBe(401)
    expect((await create({ name: 'x' }, 'key_readonly')).status).toBe(403)
    expect((await create({ name: 'x' }, 'key_pro', { 'x-greenhouse-scenario': 'rate-limited-plan' })).status).toBe(429)
    expect((await create({ name: 'x' }, 'key_pro', { 'x-greenhouse-scenario': 'server-error' })).status).toBe(500)
    world.assume('apps.unknown-fields', 'reject')
    expect((await create({ name: 'x', colour: 'green' })).status).toBe(400)
    const made = await create({ name: 'x' })
    expect([made.status, made.headers.get('idempotent-replayed')]).toEqual([201, null])
  },
)

testApi('a request that is refused has changed nothing', async ({ call, world }) => {
  const before = {
    webhooks: world.records.webhooks.all(),
    users: world.records.users.count(),
    credits: world.records.credits.all(),
  }
  world.assume('messages.no-credits', '400')
  await call('PATCH', '/v1/webhooks/wh_m4t7qzc2xk5wr3nd', { body: { enabled: false, app_id: 'app_nobody' } })
  await call('POST', '/v1/webhooks', { body: { url: 'http://127.0.0.1:9/', app_id: 'app_nobody' }, headers })
  await call('POST', `/v1/apps/${openApp}/conversations`, {
    body: { user_id: 'usr_nobody' },
    headers: { 'idempotency-key': 'other' },
  })
  expect({
    webhooks: world.records.webhooks.all(),
    users: world.records.users.count(),
    credits: world.records.credits.all(),
  }).toEqual(before)
})
