import { expect } from 'vitest'
import type { World } from 'greenhouse-mock'
import { giveCredits, openApp, startConversation } from '../conversations/chat.ts'
import { testApi } from '../support/test-api.ts'

/** An app's usage between two times, counted the slow way. */
function countNaively(world: World, app: string, from: number, to: number) {
  const { conversations, messages } = world.records
  const own = new Map(conversations.find({ app }).map((one) => [one.id, one]))
  const said = messages.find(
    (message) =>
      own.has(message.conversation) && message.created_at >= from && message.created_at < to,
  )
  const users = said
    .map((message) => own.get(message.conversation)!.user)
    .filter((user) => user !== null)
  return {
    messages: said.length,
    conversations: [...own.values()].filter(
      ({ created_at }) => created_at >= from && created_at < to,
    ).length,
    active_users: new Set(users).size,
    credits: said.reduce((sum, message) => sum + message.credits, 0),
  }
}

/**
 * A range with the number of its buckets, and where the first two begin; `T00:00:00.000Z` is left
 * out.
 */
const ranges: [
  query: string,
  from: string,
  to: string,
  count: number,
  first: string,
  second: string,
][] = [
  ['', '2026-01-31', '2026-03-02', 30, '2026-01-31', '2026-02-01'],
  ['?interval=hour', '2026-02-28T13', '2026-03-01T13', 24, '2026-02-28T13', '2026-02-28T14'],
  ['?interval=month', '2025-04-01', '2026-04-01', 12, '2025-04-01', '2025-05-01'],
  ['?from=2025-12-01&to=2026-03-01', '2025-12-01', '2026-03-01', 90, '2025-12-01', '2025-12-02'],
  [
    '?from=2025-12-01&to=2026-03-01&interval=hour',
    '2025-12-01',
    '2026-03-01',
    2160,
    '2025-12-01',
    '2025-12-01T01',
  ],
  [
    '?from=2025-12-31T23:30:00%2B02:00&to=2026-02-01T00:00:00.001Z&interval=month',
    '2025-12-31T21:30',
    '2026-02-01T00:00:00.001Z',
    3,
    '2025-12-01',
    '2026-01-01',
  ],
]

const inFull = (time: string) => time + '2026-01-01T00:00:00.000Z'.slice(time.length)

for (const [query, begin, end, count, ...starts] of ranges)
  testApi(
    `usage over ${query || 'the usual range'} is what a slow count gives`,
    async ({ call, world }) => {
      const [from, to] = [inFull(begin), inFull(end)]
      for (const app of ['app_w33c4cwmhfyfktiv', 'app_wfr4wqydlhx43ree']) {
        const { status, body } = await call('GET', `/v1/apps/${app}/usage${query}`)
        expect(status).toBe(200)
        expect(body).toMatchObject({ app_id: app, from, to })
        expect(body.totals).toEqual(countNaively(world, app, Date.parse(from), Date.parse(to)))
        const least = query === '?interval=hour' ? 0 : 1
        expect(body.totals.messages, 'the fixtures say something in it').toBeGreaterThanOrEqual(
          least,
        )
        expect(body.buckets).toHaveLength(count)
        expect([body.buckets[0].start, body.buckets[1].start]).toEqual(starts.map(inFull))
        body.buckets.forEach(({ start, ...figures }: { start: string }, index: number) => {
          const end = body.buckets[index + 1]?.start ?? to
          const expected = countNaively(
            world,
            app,
            Math.max(Date.parse(start), Date.parse(from)),
            Date.parse(end),
          )
          if (JSON.stringify(figures) !== JSON.stringify(expected))
            expect(figures, start).toEqual(expected)
        })
      }
    },
  )

const figures = ['messages', 'conversations', 'active_users', 'credits'] as const

testApi(
  "an account's usage is the sum of its apps', in all and bucket by bucket",
  async ({ call, world }) => {
    const query = 'from=2025-12-01&to=2026-03-02&interval=month'
    const { status, body } = await call('GET', `/v1/usage?${query}&group_by=app`)
    expect(status).toBe(200)
    const apps = world.records.apps.find(({ account }) => account === 'acct_pro')
    const single = await Promise.all(
      apps.map(async ({ id }) => (await call('GET', `/v1/apps/${id}/usage?${query}`)).body),
    )
    const sum = (parts: Record<string, number>[], figure: string) =>
      parts.reduce((total, part) => total + part[figure]!, 0)
    for (const figure of figures) {
      const totals = single.map((one) => one.totals)
      expect(body.totals[figure]).toBe(sum(totals, figure))
      for (const [place, bucket] of body.buckets.entries()) {
        const parts = single.map(({ buckets }) => buckets[place])
        expect(bucket[figure]).toBe(sum(parts, figure))
      }
    }
    expect(body.totals.messages).toBeGreaterThan(0)
    expect(body.apps).toEqual(
      single.toReversed().map(({ app_id, totals }) => ({ app_id, ...totals })),
    )
  },
)

testApi('usage without group_by has no apps, and ranges are read alike', async ({ call }) => {
  const { body } = await call('GET', '/v1/usage?interval=hour')
  expect(Object.keys(body)).toEqual(['from', 'to', 'interval', 'totals', 'buckets'])
  expect(body.buckets).toHaveLength(24)
  const { body: refused } = await call('GET', '/v1/usage?interval=week&group_by=model')
  expect(refused.error.message).toBe(
    'interval must be one of "hour", "day", "month". group_by must be "app".',
  )
})

testApi("another account's usage is its own", async ({ call }) => {
  const of = async (key: string) =>
    (await call('GET', '/v1/usage?from=2025-12-01&to=2026-03-02', { key })).body.totals
  expect(await of('key_free')).not.toEqual(await of('key_pro'))
  expect(await of('key_readonly')).toEqual(await of('key_pro'))
})

testApi('a message that is sent shows up in the bucket of its time at once', async (client) => {
  const { call, world } = client
  giveCredits(client, 10)
  const today = async () =>
    (await call('GET', `/v1/apps/${openApp}/usage?from=2026-03-01&to=2026-03-03`)).body
  const before = await today()
  const { path } = await startConversation(client)
  await call('POST', `${path}/messages`, { body: { content: 'Today' } })
  world.clock.advance('1d')
  await call('POST', `${path}/messages`, { body: { content: 'Tomorrow' } })
  const { totals, buckets } = await today()
  expect(totals).toEqual({
    ...before.totals,
    messages: before.totals.messages + 4,
    conversations: before.totals.conversations + 1,
    credits: before.totals.credits + 2,
  })
  expect(buckets[1]).toMatchObject({
    start: '2026-03-02T00:00:00.000Z',
    messages: 2,
    conversations: 0,
    credits: 1,
  })
})

const wrong = [
  [
    'interval=week',
    'from=yesterday',
    'from=on2026-02-01',
    'from=12026-02-01',
    'from=%2B002026-02-01',
  ],
  [
    'to=2026-13-01',
    'from=2026-02-31T25:00:00Z',
    'from=2026-03-02&to=2026-03-01',
    'from=2026-03-01&to=2026-03-01',
  ],
  ['from=2020-01-01&interval=hour', 'from=', 'to=1772366430'],
  ['from=2027-02-29&to=2027-03-10', 'to=2026-03-01T24:00:00Z'],
  ['from=2026-02-01T', 'from=2026-02-01%20(noon)'],
].flat()

testApi('a range that is none is a 400 that names the parameter', async ({ call }) => {
  for (const query of wrong) {
    const { status, body } = await call('GET', `/v1/apps/${openApp}/usage?${query}`)
    expect(status, query).toBe(400)
    expect(body.error.message, query).toMatch(/^(interval|from|to) must (?!.*without "to")/)
  }
})

testApi(
  'a range without an end that starts in the future is 400 and names the end',
  async ({ call }) => {
    for (const from of ['2026-05-01', '2026-03-02']) {
      const { status, body } = await call('GET', `/v1/apps/${openApp}/usage?from=${from}`)
      expect(status, from).toBe(400)
      expect(body.error.message).toBe(
        'from must be a time before 2026-03-02T00:00:00.000Z, the end of the range without "to".',
      )
    }
  },
)
