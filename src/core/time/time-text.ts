import { codedError } from '../text/error-codes.ts'
import { quote } from '../text/messages.ts'
import { Date } from './system-time.ts'

const units: Record<string, number> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

export function toMilliseconds(duration: string | number): number {
  const length = readLength(duration)
  if (Math.abs(length) <= longestLength) return length
  throw codedError(
    'GREENHOUSE_INVALID_TIME',
    `Failed to read the duration ${showGiven(duration)}: expected at most 10,000 years (${longestLength / 86_400_000}d).`,
  )
}

function readLength(duration: string | number): number {
  if (typeof duration === 'number') {
    if (Number.isFinite(duration)) return duration
  } else if (/^-?(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(duration)) {
    const sign = duration.startsWith('-') ? -1 : 1
    let total = 0
    for (const [, amount, unit = ''] of duration
      .replace('-', '')
      .matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/gy))
      total += Number(amount) * (units[unit] ?? NaN)
    return sign * total
  }
  throw codedError(
    'GREENHOUSE_INVALID_TIME',
    `Failed to read the duration ${showGiven(duration)}: expected a number with a unit, such as "90s", "5m", "2h" or "1d".`,
  )
}

export function toTimestamp(time: string | number): number {
  const at = parseTime(time)
  if (at >= firstTime && at <= lastTime) return at
  throw codedError(
    'GREENHOUSE_INVALID_TIME',
    `Failed to read the time ${showGiven(time)}: expected a time in ${timeRange}.`,
  )
}

export function toClockTime(time: string | number): number {
  const at = parseTime(time)
  if (at >= firstClockTime && at <= lastTime) return at
  throw codedError(
    'GREENHOUSE_INVALID_TIME',
    `Failed to set a clock to ${showGiven(time)}: expected a time in ${clockRange}.`,
  )
}

export function isTime(text: string): boolean {
  return isInCalendar(text) && Number.isFinite(Date.parse(text))
}

/**
 * Parses a point in time; unlike `toTimestamp`, in any year. @throws RangeError when it is not a
 * time.
 */
export function parseTime(time: string | number): number {
  const at = typeof time === 'number' ? time : Date.parse(time)
  if (Number.isFinite(at) && (typeof time === 'number' || isInCalendar(time))) return at
  throw codedError(
    'GREENHOUSE_INVALID_TIME',
    `Failed to read the time ${showGiven(time)}: expected ISO 8601, such as "2026-01-31T12:00:00Z".`,
  )
}

/**
 * Returns whether a string begins with a date that exists, and its time is not 24:00: `Date.parse`
 * reads 2027-02-29 as 1 March.
 */
function isInCalendar(text: string): boolean {
  const [, year, month, day] = /^(\d{4}|[+-]\d{6})-(\d\d)-(\d\d)/.exec(text) ?? []
  if (year === undefined || text.slice(year.length + 6).startsWith('T24')) return false
  // A day that the month does not have becomes one of the next month. Date.UTC would read years
  // below 100 as 19xx.
  const at = new Date(0).setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  return new Date(at).getUTCDate() === Number(day)
}

export function toMovedTime(from: number, duration: string | number): number {
  const at = from + toMilliseconds(duration)
  if (at >= firstClockTime && at <= lastTime) return at
  throw codedError(
    'GREENHOUSE_INVALID_TIME',
    `Failed to move a clock by ${showGiven(duration)} from ${toIso(from)}: expected a time in ${clockRange}.`,
  )
}

function showGiven(value: string | number): string {
  if (typeof value === 'string') return quote(value)
  return String(value)
}

/**
 * Formats milliseconds since 1970 as ISO 8601 UTC. A time outside the years 0000 to 9999 becomes
 * the nearest one inside.
 */
export const toIso = /* @__PURE__ */ createIsoWriter()

export function toIsoOrNull(time: number | null | undefined): string | null {
  if (typeof time === 'number') return toIso(time)
  return null
}

/** Returns a function like `toIso`, fast for times in the same second. */
function createIsoWriter(): (at: number) => string {
  let second = NaN
  let written: string
  return (at) => {
    const time = Math.trunc(Math.max(firstTime, Math.min(lastTime, at)))
    const start = Math.floor(time / 1_000) * 1_000
    if (start !== second) {
      second = start
      written = new Date(start).toISOString().slice(0, -'000Z'.length)
    }
    return `${written}${String(time - start).padStart(3, '0')}Z`
  }
}

export function toHttpDate(at: number): string {
  const second = Math.floor(at / 1_000)
  // Replies within a second have the same Date: formatting it takes 0.4 µs, and the journal keeps
  // it.
  if (second !== latestSecond) {
    latestSecond = second
    latestDate = new Date(Math.max(firstTime, Math.min(lastTime, at))).toUTCString()
  }
  return latestDate
}

let latestSecond = NaN
let latestDate: string

/**
 * Parses a date in ISO 8601 or of HTTP, without the checks of what a person types; NaN for anything
 * else.
 */
export function readDate(date: string): number {
  return Date.parse(date)
}

export function moveHttpDate(date: string, by: number): string {
  return toHttpDate(Date.parse(date) + by)
}

export const firstTime = -62_167_219_200_000
export const lastTime = 253_402_300_799_999

const firstClockTime = 0

/**
 * Times derived from a clock, such as a period's end, are at most a year later than the clock can
 * be.
 */
export const lastStoredTime = lastTime + 366 * 86_400_000

/** The longest duration, ten thousand years, in milliseconds. Sums of a few of them are exact. */
const longestLength = 3_652_500 * 86_400_000

export const timeRange = 'the years 0000 to 9999'
const clockRange = 'the years 1970 to 9999'

export function monthOf(at: number): number {
  const date = new Date(at)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

export function startOfMonth(month: number): number {
  // Date.UTC would read years below 100 as 19xx.
  return new Date(0).setUTCFullYear(0, month, 1)
}

export function toLocalTime(at: number): string {
  return new Date(at).toTimeString().slice(0, 8)
}
