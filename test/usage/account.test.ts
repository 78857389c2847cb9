import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

const figures = ['messages', 'conversations', 'active_users', 'credits'] as const

testApi("an account's usage is the sum of its apps', in all and bucket by bucket", async ({ call, world }) => {
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
    expect(body.totals[figure]).toBe(
      sum(
        single.map(({ totals }) => totals),
        figure,
      ),
    )
    for (const [place, bucket] of body.buckets.entries())
      expect(bucket[figure]).toBe(
        sum(
          single.map(({ buckets }) => buckets[place]),
          figure,
        ),
      )
  }
  expect(body.totals.messages).toBeGreaterThan(0)
  expect(body.apps).toEqual(single.toReversed().map(({ app_id, totals }) => ({ app_id, ...totals })))
})

testApi('without group_by there are no apps in it, and a range is read as that of an app', async ({ call }) => {
  const { body } = await call('GET', '/v1/usage?interval=hour')
  expect(Object.keys(body)).toEqual(['from', 'to', 'interval', 'totals', 'buckets'])
  expect(body.buckets).toHaveLength(24)
  const { body: refused } = await call('GET', '/v1/usage?interval=week&group_by=model')
  expect(refused.error.message).toBe('interval must be one of "hour", "day", "month". group_by must be "app".')
})

testApi("another account's usage is its own", async ({ call }) => {
  const of = async (key: string) => (await call('GET', '/v1/usage?from=2025-12-01&to=2026-03-02', { key })).body.totals
  expect(await of('key_free')).not.toEqual(await of('key_pro'))
  expect(await of('key_readonly')).toEqual(await of('key_pro'))
})
