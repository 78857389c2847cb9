import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { replayCase, toCaseText } from 'greenhouse-mock/case'
import { createCaller, toInit } from '../support/test-api.ts'

const standIn = 'hidden_fp_0123456789ab'

test('a case has no secret but keys of plain words, and is replayed with the same replies', async () => {
  const secret = 'sk_live_4f9a8b7c6d5e4f3a2b1c'
  using greenhouse = createGreenhouse({
    fixtures: {
      accounts: [{ id: 'acct_pro', name: 'Pro', email: 'pro@example.com', plan: 'pro' }],
      keys: [
        { secret: 'key_pro', account: 'acct_pro' },
        { secret, account: 'acct_pro' },
      ],
    },
  })
  const world = greenhouse.world()
  const call = createCaller((path, init) => greenhouse.fetch(new Request(`http://greenhouse.test${path}`, init)))
  const created = await world.createKey({ account: 'acct_pro', scopes: ['apps:read'] })
  const unknown = 'sk_of_somebody_else_123456'
  const body = { url: 'http://127.0.0.1:9/?token=s3cr3t-t0ken', events: ['app.created'] }
  const { body: hook } = await call('POST', '/v1/webhooks', { key: secret, body })
  for (const key of [created.secret, unknown, 'key_pro']) await call('GET', '/v1/apps', { key })
  await call('POST', `/v1/webhooks/${hook.id}/rotate-secret`, { key: secret })
  expect(world.journal.calls().map(({ response }) => response.status)).toEqual([201, 200, 401, 200, 200])

  const text = toCaseText(world.toCase(`${secret} sees the apps of ${created.secret}`))
  for (const one of [secret, created.secret, unknown, hook.secret, 's3cr3t-t0ken']) expect(text).not.toContain(one)
  expect(text).toContain('Bearer key_pro')
  const replayed = await replayCase(world.toCase())
  expect([replayed.differences, replayed.requests]).toEqual([[], 5])
  replayed.greenhouse.close()
})

test('a key changed from outside stays the same key in replays, however often it is saved', async () => {
  using greenhouse = createGreenhouse()
  const world = greenhouse.world()
  const { secret } = await world.createKey({ account: 'acct_pro' })
  const ask = () => greenhouse.fetch(new Request('http://greenhouse.test/plants', toInit('GET', { key: secret })))
  await ask()
  world.records.keys.update(secret, { revoked: true })
  await ask()
  world.records.keys.delete(secret)
  await ask()
  expect(world.journal.calls().map(({ response }) => response.status)).toEqual([200, 401, 401])
  const once = await replayCase(world.toCase())
  const twice = await replayCase(once.world.toCase())
  for (const { differences, world: replayed, greenhouse } of [once, twice]) {
    expect([differences, replayed.records.keys.count()]).toEqual([[], world.records.keys.count()])
    greenhouse.close()
  }
  // A secret that stands in for another one stands in for it in the next case too.
  const stored = createGreenhouse({
    case: { case: 1, start: { records: { keys: { put: [{ secret: standIn, account: 'acct_pro' }] } } } },
  })
  expect(JSON.stringify(stored.world().toCase())).toContain(`"${standIn}"`)
  stored.close()
})
