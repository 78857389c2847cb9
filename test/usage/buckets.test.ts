import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { countNaively } from './naive.ts'

const nothing = { messages: 0, conversations: 0, active_users: 0, credits: 0 }

const ranges: [query: string, from: string, to: string, count: number, first: string, second: string][] = [
  [
    '',
    '2026-01-31T00:00:00.000Z',
    '2026-03-02T00:00:00.000Z',
    30,
    '2026-01-31T00:00:00.000Z',
    '2026-02-01T00:00:00.000Z',
  ],
  [
    '?interval=hour',
    '2026-02-28T13:00:00.000Z',
    '2026-03-01T13:00:00.000Z',
    24,
    '2026-02-28T13:00:00.000Z',
    '2026-02-28T14:00:00.000Z',
  ],
  [
    '?interval=month',
    '2025-04-01T00:00:00.000Z',
    '2026-04-01T00:00:00.000Z',
    12,
    '2025-04-01T00:00:00.000Z',
    '2025-05-01T00:00:00.000Z',
  ],
  [
    '?from=2025-12-01&to=2026-03-01',
    '2025-12-01T00:00:00.000Z',
    '2026-03-01T00:00:00.000Z',
    90,
    '2025-12-01T00:00:00.000Z',
    '2025-12-02T00:00:00.000Z',
  ],
  [
    '?from=2025-12-01&to=2026-03-01&interval=hour',
    '2025-12-01T00:00:00.000Z',
    '2026-03-01T00:00:00.000Z',
    2160,
    '2025-12-01T00:00:00.000Z',
    '2025-12-01T01:00:00.000Z',
  ],
  [
    '?from=2025-12-31T23:30:00%2B02:00&to=2026-02-01T00:00:00.001Z&interval=month',
    '2025-12-31T21:30:00.000Z',
    '2026-02-01T00:00:00.001Z',
    3,
    '2025-12-01T00:00:00.000Z',
    '2026-01-01T00:00:00.000Z',
  ],
]

for (const [query, from, to, count, first, second] of ranges)
  testApi(
    `usage over ${query || 'the usual range'} is what a slow count gives, bucket by bucket`,
    async ({ call, world }) => {
      for (const app of ['app_w33c4cwmhfyfktiv', 'app_wfr4wqydlhx43ree']) {
        const { status, body } = await call('GET', `/v1/apps/${app}/usage${query}`)
        expect(status).toBe(200)
        expect(body).toMatchObject({ app_id: app, from, to })
        expect(body.totals).toEqual(countNaively(world, app, Date.parse(from), Date.parse(to)))
        expect(body.totals.messages, 'the fixtures say something in it').toBeGreaterThan(
          query === '?interval=hour' ? -1 : 0,
        )
        expect(body.buckets).toHaveLength(count)
        expect([body.buckets[0].start, body.buckets[1].start]).toEqual([first, second])
        body.buckets.forEach(({ start, ...figures }: { start: string }, index: number) => {
          const end = body.buckets[index + 1]?.start ?? to
          const expected = countNaively(world, app, Math.max(Date.parse(start), Date.parse(from)), Date.parse(end))
          if (JSON.stringify(figures) !== JSON.stringify(expected)) expect(figures, start).toEqual(expected)
        })
      }
    },
  )

testApi('hours in which nothing happened are there, with zeros', async ({ call }) => {
  const { body } = await call('GET', '/v1/apps/app_w33c4cwmhfyfktiv/usage?from=2025-12-01&to=2026-03-01&interval=hour')
  const empty = body.buckets.filter(({ messages }: { messages: number }) => messages === 0)
  expect(empty.length).toBeGreaterThan(2_000)
  for (const { start: _, ...figures } of empty) if (figures.conversations === 0) expect(figures).toEqual(nothing)
})
