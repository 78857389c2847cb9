import { expect } from 'vitest'
import { type Client, testApi } from '../support/test-api.ts'

/** Asks for the usage in a range, in the middle of a day in the middle of March. */
async function ask({ world, call }: Client, query: string) {
  world.clock.set('2026-03-15T12:30:00.000Z')
  return (await call('GET', `/v1/usage?${query}`)).body
}

const ranges: [
  query: string,
  from: string,
  to: string,
  first: string,
  last: string,
  count: number,
][] = [
  ['', '2026-02-14', '2026-03-16', '2026-02-14', '2026-03-15', 30],
  ['interval=hour', '2026-03-14T13', '2026-03-15T13', '2026-03-14T13', '2026-03-15T12', 24],
  ['interval=month', '2025-04-01', '2026-04-01', '2025-04-01', '2026-03-01', 12],
  ['to=2026-03-10', '2026-02-08', '2026-03-10', '2026-02-08', '2026-03-09', 30],
  ['to=2026-03-10T00:00:01Z', '2026-02-09', '2026-03-10T00:00:01', '2026-02-09', '2026-03-10', 30],
  ['from=2026-03-14T18:00:00Z', '2026-03-14T18', '2026-03-16', '2026-03-14', '2026-03-15', 2],
  [
    'interval=month&from=2026-01-31&to=2026-02-01T00:00:00.001Z',
    '2026-01-31',
    '2026-02-01T00:00:00.001',
    '2026-01-01',
    '2026-02-01',
    2,
  ],
  [
    'from=2026-03-14&to=2026-03-14T00:00:00.001Z',
    '2026-03-14',
    '2026-03-14T00:00:00.001',
    '2026-03-14',
    '2026-03-14',
    1,
  ],
  [
    'interval=hour&from=2025-01-22T20:00:00Z&to=2026-03-15T12:00:00Z',
    '2025-01-22T20',
    '2026-03-15T12',
    '2025-01-22T20',
    '2026-03-15T11',
    10_000,
  ],
  ['from=0000-01-01&to=0000-01-02', '0000-01-01', '0000-01-02', '0000-01-01', '0000-01-01', 1],
  ['to=0000-01-31', '0000-01-01', '0000-01-31', '0000-01-01', '0000-01-30', 30],
  [
    'from=2026-03-14T18:00:00%2B01:00',
    '2026-03-14T17',
    '2026-03-16',
    '2026-03-14',
    '2026-03-15',
    2,
  ],
]

const whole = (time: string) => time + '0000-00-00T00:00:00.000Z'.slice(time.length)

for (const [query, from, to, first, last, count] of ranges)
  testApi(`the range "${query}" is from ${from} to ${to}`, async (client) => {
    const { buckets, ...read } = await ask(client, query)
    const starts = buckets.map(({ start }: { start: string }) => start)
    expect([read.from, read.to, starts[0], starts.at(-1)]).toEqual(
      [from, to, first, last].map(whole),
    )
    expect(starts).toHaveLength(count)
  })

const wrong: [query: string, message: string][] = [
  ['from=2026-03-10&to=2026-03-10', 'from must be a time before "to".'],
  ['from=2026-03-11&to=2026-03-10', 'from must be a time before "to".'],
  [
    'from=2026-03-16',
    'from must be a time before 2026-03-16T00:00:00.000Z, the end of the range without "to".',
  ],
  ['to=0000-01-30', 'to must be later, or send "from" too: the range begins before the year 0000.'],
  [
    'interval=hour&from=2025-01-22T19:59:59.999Z&to=2026-03-15T12:00:00Z',
    'from must be later, or the interval longer: the range holds more than 10000 buckets.',
  ],
]

for (const [query, message] of wrong)
  testApi(`the range "${query}" is none: ${message}`, async (client) => {
    expect((await ask(client, query)).error.message).toBe(message)
  })

testApi(
  'a time is a day or has its offset, and a + that is not escaped is a slip',
  async (client) => {
    const sound = `2026-01-31,2026-01-31T12:00:00Z,2026-01-31T12:00:00%2B01:00,2026-01-31T12:00:00 01:00,
      2026-01-31T12:00Z`
    for (const text of sound.split(/,\s*/))
      expect((await ask(client, `from=${text}`)).from).toMatch(/^2026-01-31T/)
    for (const text of ['', 'x', '2026-02-29', '2026-1-31', '2026', '2026-01-31T12:00:00', '5'])
      expect((await ask(client, `from=${text}`)).error.message).toBe(
        'from must be a time in ISO 8601, such as 2026-01-31 or 2026-01-31T12:00:00Z.',
      )
    const slips = client.world.journal.violations().map(({ message }) => message)
    expect(slips.filter((message) => !message.includes('ISO'))).toEqual([
      'from has a "+" that is not escaped: send %2B.',
    ])
  },
)
