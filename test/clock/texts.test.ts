import { expect, test } from 'vitest'
import {
  fixtureTime,
  storedTime,
  toFixtureTime,
  toFixtureTimestamp,
  toRelativeTimestamp,
} from '../../src/core/time/fixture-time.ts'
import {
  isTime,
  monthOf,
  moveHttpDate,
  startOfMonth,
  toClockTime,
  toHttpDate,
  toIso,
  toIsoOrNull,
  toLocalTime,
  toMilliseconds,
  toMovedTime,
  toTimestamp,
} from '../../src/core/time/time-text.ts'

const day = 86_400_000

const lengths: [text: string | number, milliseconds: number | undefined][] = [
  ['90s', 90_000],
  ['1d2h3m4s5ms', day + 7_384_005],
  ['1.5h', 5_400_000],
  ['1.25h', 4_500_000],
  ['-1m30s', -90_000],
  ['0s', 0],
  [250, 250],
  [-250.5, -250.5],
  ['3652500d', 3_652_500 * day],
  ['-3652500d', -3_652_500 * day],
  ['3652500d1ms', undefined],
  ['-3652500d1ms', undefined],
  [3_652_500 * day + 1, undefined],
  [NaN, undefined],
  [Infinity, undefined],
  ['', undefined],
  ['-', undefined],
  ['5', undefined],
  ['5 s', undefined],
  ['5x', undefined],
  ['1.s', undefined],
  ['.5s', undefined],
  ['1s-1s', undefined],
  ['s', undefined],
  [`${'9'.repeat(400)}d`, undefined],
]

test.each(lengths)('the length of time %j is read as %j milliseconds', (text, milliseconds) => {
  if (milliseconds === undefined)
    expect(() => toMilliseconds(text)).toThrow(/^Failed to read the duration /)
  else expect(toMilliseconds(text)).toBe(milliseconds)
})

test('what is wrong with a length of time is its size or its form', () => {
  const most = ': expected at most 10,000 years (3652500d).'
  for (const text of ['3652500d1ms', `${'9'.repeat(400)}d`, 3_652_500 * day + 1])
    expect(() => toMilliseconds(text)).toThrow(most)
  for (const text of [NaN, Infinity, '5'])
    expect(() => toMilliseconds(text)).toThrow(': expected a number with a unit, such as')
})

const last = Date.parse('9999-12-31T23:59:59.999Z')
const first = Date.parse('0000-01-01T00:00:00.000Z')

test('a time is in the years 0000 to 9999, that of a clock from 1970 on', () => {
  expect([first, last].map(toTimestamp)).toEqual([first, last])
  expect([0, last].map(toClockTime)).toEqual([0, last])
  for (const time of [first - 1, last + 1])
    expect(() => toTimestamp(time)).toThrow(`Failed to read the time ${time}: expected a time in `)
  for (const time of [-1, last + 1])
    expect(() => toClockTime(time)).toThrow(`Failed to set a clock to ${time}: expected a time in `)
  expect([toMovedTime(5, -5), toMovedTime(last - 5, '5ms')]).toEqual([0, last])
  expect(() => toMovedTime(5, -6)).toThrow('by -6 from 1970-01-01T00:00:00.005Z: expected a time')
  expect(() => toMovedTime(last, '1ms')).toThrow('Failed to move a clock by "1ms" from 9999-12-31')
})

test('a text is a time if its day is in the calendar', () => {
  const times = `2026-01-31 2028-02-29 2000-02-29 0000-02-29 2026-12-31T23:59:59.999Z
    2026-01-31T12:00:00+01:00 +002026-01-31T00:00:00Z -000400-02-29T00:00:00Z`
  expect(times.split(/\s+/).filter((text) => !isTime(text))).toEqual([])
  const others = `2027-02-29 1900-02-29 2026-04-31 2026-13-01 2026-00-01 2026-01-00 2026-01-32
    2026-01-31T24:00:00Z 2026-1-31 2026 soon +2026-01-31 2026-01-31Tx`
  expect(others.split(/\s+/).filter(isTime)).toEqual([])
})

test('a time is written in UTC, the nearest that there is', () => {
  expect([0, 7, 1_007, 61_070].map(toIso)).toEqual([
    '1970-01-01T00:00:00.000Z',
    '1970-01-01T00:00:00.007Z',
    '1970-01-01T00:00:01.007Z',
    '1970-01-01T00:01:01.070Z',
  ])
  expect([-1, 0.5, last, last + 1, first - 1].map(toIso)).toEqual([
    '1969-12-31T23:59:59.999Z',
    '1970-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
    '9999-12-31T23:59:59.999Z',
    '0000-01-01T00:00:00.000Z',
  ])
  expect([toIsoOrNull(0), toIsoOrNull(null), toIsoOrNull(undefined)]).toEqual([
    '1970-01-01T00:00:00.000Z',
    null,
    null,
  ])
  expect([999, 1_000, 1_999, last + 1_000].map(toHttpDate)).toEqual([
    'Thu, 01 Jan 1970 00:00:00 GMT',
    'Thu, 01 Jan 1970 00:00:01 GMT',
    'Thu, 01 Jan 1970 00:00:01 GMT',
    'Fri, 31 Dec 9999 23:59:59 GMT',
  ])
})

test('a time is stored until a year after the last time of a clock', () => {
  const times = [first - 1, first, last + 366 * day, last + 366 * day + 1]
  expect(times.map((time) => storedTime.safeParse(time).success)).toEqual([
    false,
    true,
    true,
    false,
  ])
})

test('months are counted from the year 0 on', () => {
  const months = [0, Date.parse('2026-03-31T23:59:59.999Z'), Date.parse('0001-12-01')].map(monthOf)
  expect(months).toEqual([23_640, 24_314, 23])
  expect(months.map(startOfMonth).map(toIso)).toEqual([
    '1970-01-01T00:00:00.000Z',
    '2026-03-01T00:00:00.000Z',
    '0001-12-01T00:00:00.000Z',
  ])
})

test('a date of HTTP is moved, and a time of the machine has hours, minutes and seconds', () => {
  expect(moveHttpDate('Sun, 01 Mar 2026 12:00:30 GMT', 3_600_000)).toBe(
    'Sun, 01 Mar 2026 13:00:30 GMT',
  )
  expect(toLocalTime(now)).toMatch(/^\d\d:\d\d:\d\d$/)
})

/** Sunday, 1 March 2026. */
const now = Date.parse('2026-03-01T12:00:00.000Z')

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

test.each(relative)('the time "%s" of a fixture is %s', (text, time) => {
  expect(toIso(toFixtureTimestamp(text, now))).toBe(time)
  expect(fixtureTime.safeParse(text).success).toBe(true)
  expect(toRelativeTimestamp(text, now) === undefined).toBe(text === '2026-01-31')
})

test.each(
  `in 36501d,36500d1ms ago,mon 24:00,mon 09:60,mon 9:30,mon 09:30x,monx 09:30,mon 09:30 x,moo 09:30,in,ago,
  1d ago x,mon 09:30 ago,2027-02-29`.split(/,\s*/),
)('"%s" is no time of a fixture', (text) => {
  expect(() => toFixtureTimestamp(text, now)).toThrow(/^Failed to read the /)
  expect(fixtureTime.safeParse(text).error!.issues[0]!.message).toMatch(/^Invalid time: /)
})

test('a time is written into a fixture by its distance, if that is exact', () => {
  const written = [
    [now, '0s ago'],
    [now + 1, 'in 1ms'],
    [now - 93_784_005, '1d2h3m4s5ms ago'],
    [now + 36_500 * day, 'in 36500d'],
    [now + 36_501 * day, '2126-02-06T12:00:00.000Z'],
    [now - 36_501 * day, '1926-03-25T12:00:00.000Z'],
    [now + 60_000, 'in 1m'],
  ] as const
  for (const [at, text] of written) expect(toFixtureTime(at, now)).toBe(text)
  expect([0, first, first - 1].map((at) => fixtureTime.safeParse(at).success)).toEqual([
    true,
    true,
    false,
  ])
})
