import { codedError } from '../text/error-codes.ts'
import * as z from 'zod/mini'
import {
  firstTime,
  lastStoredTime,
  timeRange,
  toIso,
  toMilliseconds,
  toTimestamp,
} from './time-text.ts'
import { quote } from '../text/messages.ts'

const longestOff = 36_500

export const storedTime = z
  .number()
  .check(
    z.gte(firstTime, `expected a time in ${timeRange}, in milliseconds since 1970`),
    z.lte(lastStoredTime, `expected a time in ${timeRange}, in milliseconds since 1970`),
  )

/** A future time as the store keeps it; it may be later than any clock can show. */
export const dueTime = z.number()

/**
 * A time in a fixture: ISO 8601, or relative to the start: `30d ago`, `in 2h`, `mon 09:30`, `mon
 * 09:30 14d ago`; or as stored.
 */
export const fixtureTime = z.union([z.string(), z.number()]).check(
  z.refine((time) => {
    try {
      if (typeof time === 'number') return storedTime.safeParse(time).success
      toFixtureTimestamp(time, 0)
      return true
    } catch {
      return false
    }
  }, `Invalid time: expected ISO 8601 in ${timeRange}, such as "2026-01-31T12:00:00Z", or a time relative to the start, such as "30d ago", "in 2h" or "mon 09:30 14d ago", at most ${longestOff}d away`),
)

export function toFixtureTimestamp(time: string, now: number): number {
  return toRelativeTimestamp(time, now) ?? toTimestamp(time)
}

export function toRelativeTimestamp(time: string, now: number): number | undefined {
  if (time.startsWith('in ')) return now + toLength(time, time.slice('in '.length))
  const base = lastOf(time, now)
  const rest = base === undefined ? time : time.slice('mon 09:30 '.length)
  if (rest.endsWith(' ago')) return (base ?? now) - toLength(time, rest.slice(0, -' ago'.length))
  return rest === '' ? base : undefined
}

export function toFixtureTime(at: number, now: number): string {
  const length = toLengthText(Math.abs(at - now))
  const text = at > now ? `in ${length}` : `${length} ago`
  return isExactly(text, at, now) ? text : toIso(at)
}

function isExactly(text: string, at: number, now: number): boolean {
  try {
    return toFixtureTimestamp(text, now) === at
  } catch {
    return false
  }
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const

function toLengthText(milliseconds: number): string {
  let rest = milliseconds
  let text = ''
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size)
    if (count > 0) text += `${count}${unit}`
    rest -= count * size
  }
  if (rest > 0) return `${text}${rest}ms`
  return text || '0s'
}

function toLength(time: string, length: string): number {
  const milliseconds = toMilliseconds(length)
  if (Math.abs(milliseconds) <= longestOff * day) return milliseconds
  throw codedError(
    'GREENHOUSE_INVALID_TIME',
    `Failed to read the time ${quote(time)}: expected at most ${longestOff}d before or after the start.`,
  )
}

const minute = 60_000
const day = 86_400_000

/** 1 January 1970 was a Thursday. */
const weekdays = ['thu', 'fri', 'sat', 'sun', 'mon', 'tue', 'wed']

function lastOf(text: string, now: number): number | undefined {
  const weekday = weekdays.indexOf(text.slice(0, 3))
  const [, hours, minutes] = /^ ([01]\d|2[0-3]):([0-5]\d)( |$)/.exec(text.slice(3)) ?? []
  if (weekday < 0 || hours === undefined) return undefined
  const at = weekday * day + (Number(hours) * 60 + Number(minutes)) * minute
  return at + Math.floor((now - at) / (7 * day)) * 7 * day
}
