import { createGreenhouse, DataError } from 'greenhouse-mock'
import { expect, test } from 'vitest'
import { testControl } from '../support/control.ts'
import { open, testApi } from '../support/test-api.ts'

const day = 86_400_000
const last = Date.parse('9999-12-31T23:59:59.999Z')
const first = Date.parse('0000-01-01T00:00:00.000Z')

/** Sunday, 1 March 2026. */
const now = '2026-03-01T12:00:00.000Z'
const begin = Date.parse(now)

/** A Greenhouse with one app, which was created then. */
const withApp = (created_at: string | number) => ({
  now,
  fixtures: {
    accounts: [{ id: 'acct', name: 'A', email: 'a@example.com', plan: 'pro' as const }],
    keys: [{ secret: 'k', account: 'acct' }],
    apps: [{ id: 'app_1', account: 'acct', name: 'A', created_at }],
  },
})

/** How a reply writes the time that a fixture has. */
async function writtenOf(time: string | number): Promise<string> {
  return (await open(withApp(time)).call('GET', '/v1/apps/app_1', { key: 'k' })).body.created_at
}

function problemOf(time: string | number): string {
  try {
    createGreenhouse(withApp(time))
  } catch (error) {
    if (error instanceof DataError) return error.problems[0]!.message
  }
  return 'none'
}

test('a length of time has at most 10,000 years', () => {
  const { clock } = open().world
  const most = 3_652_500
  for (const length of [`${most}d`, `-${most}d`, most * day])
    expect(() => clock.advance(length)).toThrow('Failed to move a clock by ')
  for (const length of [`${most}d1ms`, `-${most}d1ms`, most * day + 1, `${'9'.repeat(400)}d`])
    expect(() => clock.advance(length)).toThrow(
      /^Failed to read the duration .*: expected at most 10,000 years \(3652500d\)\.$/,
    )
  for (const length of ['', '-', '5', '5 s', '5x', '1.s', '.5s', '1s-1s', 's'])
    expect(() => clock.advance(length)).toThrow(/: expected a number with a unit, such as "90s"/)
})

test('a time is in the years 0000 to 9999, and a clock begins in 1970', () => {
  const { clock } = open().world
  for (const time of [0, last]) {
    clock.set(time)
    expect(clock.now()).toBe(time)
  }
  for (const time of [-1, last + 1])
    expect(() => clock.set(time)).toThrow(
      `Failed to set a clock to ${time}: expected a time in the years 1970 to 9999.`,
    )
  clock.set(5)
  expect(() => clock.advance(-6)).toThrow('by -6 from 1970-01-01T00:00:00.005Z: expected a time')
  clock.advance(-5)
  expect(clock.now()).toBe(0)
  clock.set(last - 5)
  clock.advance('5ms')
  expect(clock.now()).toBe(last)
  expect(() => clock.advance('1ms')).toThrow('Failed to move a clock by "1ms" from 9999-12-31')
})

test('a text is a time if its day is in the calendar', () => {
  const times = `2026-01-31 2028-02-29 2000-02-29 0000-02-29 2026-12-31T23:59:59.999Z
    2026-01-31T12:00:00+01:00 +002026-01-31T00:00:00Z`
  for (const text of times.split(/\s+/)) expect([text, problemOf(text)]).toEqual([text, 'none'])
  const others = `2027-02-29 1900-02-29 2026-04-31 2026-13-01 2026-00-01 2026-01-00 2026-01-32
    2026-01-31T24:00:00Z 2026-1-31 2026 soon +2026-01-31 2026-01-31Tx -000400-02-29T00:00:00Z
    +010000-01-01T00:00:00Z`
  for (const text of others.split(/\s+/)) expect(problemOf(text)).toMatch(/^Invalid time: /)
})

testApi('a time is written in UTC, the nearest that there is', async ({ world, call }) => {
  for (const [at, text] of [
    [0, '1970-01-01T00:00:00.000Z'],
    [7, '1970-01-01T00:00:00.007Z'],
    [1_007, '1970-01-01T00:00:01.007Z'],
    [61_070, '1970-01-01T00:01:01.070Z'],
  ] as const) {
    world.clock.set(at)
    expect((await call('POST', '/v1/apps', { body: { name: 'A' } })).body.created_at).toBe(text)
  }
  expect(await writtenOf(-1)).toBe('1969-12-31T23:59:59.999Z')
  expect(await writtenOf(last)).toBe('9999-12-31T23:59:59.999Z')
  expect(await writtenOf(last + 1)).toBe('9999-12-31T23:59:59.999Z')
  expect(await writtenOf(first)).toBe('0000-01-01T00:00:00.000Z')
  expect(problemOf(first - 1)).toMatch(/^Invalid time: /)
})

testApi('the Date of a reply has whole seconds', async ({ world, call }) => {
  for (const [at, text] of [
    [999, 'Thu, 01 Jan 1970 00:00:00 GMT'],
    [1_000, 'Thu, 01 Jan 1970 00:00:01 GMT'],
    [1_999, 'Thu, 01 Jan 1970 00:00:01 GMT'],
    [last, 'Fri, 31 Dec 9999 23:59:59 GMT'],
  ] as const) {
    world.clock.set(at)
    expect((await call('GET', '/plants')).headers.get('date')).toBe(text)
  }
  world.use({ fault: [{ kind: 'clock-skew', by: '1h' }] })
  expect((await call('GET', '/plants')).headers.get('date')).toBe('Fri, 31 Dec 9999 23:59:59 GMT')
})

const relative: [text: string, time: string][] = [
  ['in 2h', '2026-03-01T14:00:00.000Z'],
  ['in -2h', '2026-03-01T10:00:00.000Z'],
  ['30d ago', '2026-01-30T12:00:00.000Z'],
  ['mon 09:30', '2026-02-23T09:30:00.000Z'],
  ['tue 09:30', '2026-02-24T09:30:00.000Z'],
  ['wed 09:30', '2026-02-25T09:30:00.000Z'],
  ['thu 09:30', '2026-02-26T09:30:00.000Z'],
  ['fri 09:30', '2026-02-27T09:30:00.000Z'],
  ['sat 09:30', '2026-02-28T09:30:00.000Z'],
  ['sun 12:00', '2026-03-01T12:00:00.000Z'],
  ['sun 12:01', '2026-02-22T12:01:00.000Z'],
  ['sun 23:59', '2026-02-22T23:59:00.000Z'],
  ['mon 09:30 14d ago', '2026-02-09T09:30:00.000Z'],
  ['36500d ago', '1926-03-26T12:00:00.000Z'],
  ['in 36500d', '2126-02-05T12:00:00.000Z'],
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
]

test.each(relative)('the time "%s" of a fixture is %s', async (text, time) => {
  expect(await writtenOf(text)).toBe(time)
})

test.each(
  `in 36501d,36500d1ms ago,mon 24:00,mon 09:60,mon 9:30,mon 09:30x,mon 09:30 x,moo 09:30,in,ago,
  1d ago x,mon 09:30 ago,2027-02-29`.split(/,\s*/),
)('"%s" is no time of a fixture', (text) => {
  expect(problemOf(text)).toMatch(/^Invalid time: /)
})

const written: [at: number, text: string][] = [
  [begin + 1, 'in 1ms'],
  [begin - 93_784_005, '1d2h3m4s5ms ago'],
  [begin + 36_500 * day, 'in 36500d'],
  [begin + 36_501 * day, '2126-02-06T12:00:00.000Z'],
  [begin - 36_501 * day, '1926-03-25T12:00:00.000Z'],
  [begin + 60_000, 'in 1m'],
]

for (const [at, text] of written)
  testControl(
    `a time is exported as "${text}": by its distance, if that is exact`,
    { ...withApp(at), frozen: true },
    async ({ control }) => {
      const { body } = await control('GET', '/worlds/default/export/apps')
      expect(body.data[0].text).toContain(text)
    },
  )
