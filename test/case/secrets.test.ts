import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { replayCase, toCaseText } from 'greenhouse-mock/case'

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
  const ask = async (path: string, key: string, init: RequestInit = {}) =>
    (
      await greenhouse.fetch(
        new Request(`http://greenhouse.test${path}`, {
          ...init,
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        }),
      )
    ).json() as Promise<Record<string, string>>
  const created = await world.createKey({ account: 'acct_pro', scopes: ['apps:read'] })
  const stranger = 'sk_of_somebody_else_123456'
  const hook = await ask('/v1/webhooks', secret, {
    method: 'POST',
    body: JSON.stringify({ url: 'http://127.0.0.1:9/?token=s3cr3t-t0ken', events: ['app.created'] }),
  })
  await ask('/v1/apps', created.secret)
  await ask('/v1/apps', stranger)
  await ask('/v1/apps', 'key_pro')
  await ask(`/v1/webhooks/${hook['id']}/rotate-secret`, secret, { method: 'POST' })
  expect(world.journal.calls().map(({ response }) => response.status)).toEqual([201, 200, 401, 200, 200])

  const text = toCaseText(world.toCase(`${secret} sees the apps of ${created.secret}`))
  for (const one of [secret, created.secret, stranger, hook['secret']!, 's3cr3t-t0ken']) expect(text).not.toContain(one)
  expect(text).toContain('Bearer key_pro')
  const replayed = await replayCase(world.toCase())
  expect([replayed.differences, replayed.requests]).toEqual([[], 5])
  replayed.greenhouse.close()
})

test('a key changed from outside stays the same key in replays, however often it is saved', async () => {
  using greenhouse = createGreenhouse()
  const world = greenhouse.world()
  const { secret } = await world.createKey({ account: 'acct_pro' })
  const ask = () =>
    greenhouse.fetch(new Request('http://greenhouse.test/plants', { headers: { authorization: `Bearer ${secret}` } }))
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
