import { expect, test } from 'vitest'
import type { World } from 'greenhouse-mock'
import { openApp } from '../conversations/chat.ts'
import { type Client, open, testApi } from '../support/test-api.ts'
import { walk } from './walk.ts'

const conversationsOf = `/v1/apps/${openApp}/conversations`
const hook = 'wh_m4t7qzc2xk5wr3nd'

const ids = (call: Client['call'], path: string, query: string) =>
  walk(call, path, `limit=2&${query}`)

/** Nine conversations, one an hour, of three users; every other one has ended. */
function talk({ records }: World): void {
  const hours = Array.from({ length: 9 }, (_, hour) => Date.UTC(2026, 1, 1, hour))
  records.users.replace(
    ['a', 'b'].map((id) => ({
      id: `usr_${id}`,
      account: 'acct_pro',
      app: openApp,
      email: `${id}@example.com`,
      name: id,
      created_at: 0,
    })),
  )
  records.conversations.replace(
    hours.map((created_at, place) => ({
      id: `conv_${place}`,
      account: 'acct_pro',
      app: openApp,
      user: [null, 'usr_a', 'usr_b'][place % 3]!,
      platform: 'web' as const,
      created_at,
      ...(place % 2 === 1 && { ended_at: created_at + 1 }),
    })),
  )
}

const conversations: [query: string, places: number[]][] = [
  ['status=active', [8, 6, 4, 2, 0]],
  ['status=ended', [7, 5, 3, 1]],
  ['user_id=usr_a', [7, 4, 1]],
  ['user_id=usr_nobody', []],
  ['from=2026-02-01T06:00:00Z', [8, 7, 6]],
  ['to=2026-02-01T02:00:00.000Z', [1, 0]],
  ['from=2026-02-01T02:00:00Z&to=2026-02-01T04:00:00%2B00:00', [3, 2]],
  ['from=2026-02-02', []],
  ['status=ended&user_id=usr_a&order=asc', [1, 7]],
]

testApi(
  'conversations are narrowed down by status, user and time, page by page',
  async ({ call, world }) => {
    talk(world)
    for (const [query, places] of conversations)
      expect(await ids(call, conversationsOf, query), query).toEqual(
        places.map((place) => `conv_${place}`),
      )
  },
)

testApi('from has to be before to', async ({ call }) => {
  for (const query of ['from=2026-02-02&to=2026-02-01', 'from=2026-02-02&to=2026-02-02'])
    expect(await call('GET', `${conversationsOf}?${query}`)).toMatchObject({
      status: 400,
      body: { error: { message: 'from must be a time before "to".' } },
    })
})

testApi('messages are narrowed down by who said them', async ({ call }) => {
  const { body } = await call('POST', conversationsOf)
  const path = `${conversationsOf}/${body.id}/messages`
  for (const content of ['one', 'two', 'three']) await call('POST', path, { body: { content } })
  const said = (await call('GET', `${path}?role=user&order=asc`)).body.data
  expect(said.map(({ content }: { content: string }) => content)).toEqual(['one', 'two', 'three'])
  expect((await ids(call, path, 'role=assistant')).length).toBe(3)
})

testApi('deployments are narrowed down by state', async ({ call }) => {
  const path = `/v1/apps/${openApp}/deployments`
  const { body: live } = await call('POST', path, { body: {} })
  const { body: waiting } = await call('POST', path, { body: { domain: 'one.example.com' } })
  const { body: failed } = await call('POST', path, { body: { domain: 'two.dns-fails.example' } })
  await call('POST', `${path}/${failed.id}/verify`)
  expect(await ids(call, path, 'state=live')).toContain(live.id)
  expect(await ids(call, path, 'state=pending_dns')).toContain(waiting.id)
  expect(await ids(call, path, 'state=failed')).toContain(failed.id)
  expect(await ids(call, path, 'state=issuing_certificate')).toEqual([])
  expect(await ids(call, path, 'state=live')).not.toContain(failed.id)
})

testApi(
  'purchases are narrowed down by status, also as soon as one changes',
  async ({ call, world }) => {
    world.records.purchases.replace([])
    const buy = async (payment_method: string) =>
      (await call('POST', '/v1/credits/purchases', { body: { amount: 1, payment_method } })).body.id
    const [good, bad] = [await buy('pm_ok'), await buy('pm_fails_later')]
    expect(await ids(call, '/v1/credits/purchases', 'status=pending')).toEqual([bad, good])
    world.clock.advance('1m')
    expect(await ids(call, '/v1/credits/purchases', 'status=pending')).toEqual([])
    expect((await ids(call, '/v1/credits/purchases', 'status=succeeded'))[0]).toBe(good)
    expect((await ids(call, '/v1/credits/purchases', 'status=failed'))[0]).toBe(bad)
  },
)

testApi('a filter lists the webhooks of one app', async ({ call }) => {
  const make = async (app_id: string | null) =>
    (await call('POST', '/v1/webhooks', { body: { url: 'http://127.0.0.1:9/', app_id } })).body.id
  const [of, all] = [await make(openApp), await make(null)]
  expect(await ids(call, '/v1/webhooks', `app_id=${openApp}`)).toEqual([of])
  expect(await ids(call, '/v1/webhooks', '')).toEqual(expect.arrayContaining([of, all]))
})

testApi('deliveries are narrowed down by status', async ({ call, world }) => {
  const common = {
    account: 'acct_pro',
    webhook: hook,
    type: 'webhook.test' as const,
    payload: '{"type":"webhook.test","timestamp":"2026-03-01T00:00:00.000Z","data":{}}',
    attempts: [],
    tries: 0,
    next_attempt_at: null,
    created_at: 0,
  }
  for (const [place, status] of (['succeeded', 'failed', 'lost', 'failed'] as const).entries())
    await world.records.deliveries.create({
      ...common,
      id: `del_${place}`,
      event: `evt_${place}`,
      status,
    })
  expect(await ids(call, `/v1/webhooks/${hook}/deliveries`, 'status=failed')).toEqual([
    'del_3',
    'del_1',
  ])
  expect(await ids(call, `/v1/webhooks/${hook}/deliveries`, 'status=lost')).toEqual(['del_2'])
  expect(await ids(call, `/v1/webhooks/${hook}/deliveries`, 'status=pending')).toEqual([])
})

/** Conversations that are looked through; the first three have ended. */
const many = 30_000

test('a filter finds three of very many conversations, and usage counts all, even after a write', async () => {
  const { call, world } = open()
  const { records } = world
  const common = { account: 'acct_pro', app: openApp, user: null, platform: 'web' as const }
  records.conversations.replace(
    Array.from({ length: many }, (_, place) => ({
      ...common,
      id: `conv_${place}`,
      created_at: place,
      ...(place < 3 && { ended_at: place }),
    })),
  )
  const { body } = await call('GET', `/v1/apps/${openApp}/conversations?status=ended`)
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['conv_2', 'conv_1', 'conv_0'])
  const count = async () =>
    (await call('GET', `/v1/apps/${openApp}/usage?from=1970-01-01&to=1970-01-02`)).body.totals
      .conversations
  expect([await count(), await count()]).toEqual([many, many])
  records.conversations.delete('conv_1')
  expect(await count()).toBe(many - 1)
  records.messages.create({
    id: 'msg_1',
    account: 'acct_pro',
    conversation: 'conv_2',
    role: 'user',
    content: 'x',
    credits: 0,
    created_at: 2,
  })
  expect(
    (await call('GET', `/v1/apps/${openApp}/usage?from=1970-01-01&to=1970-01-02`)).body.totals
      .messages,
  ).toBe(1)
})
