import { Date } from './system-time.ts'

/** Returns the number of months since the year 0, in UTC. @param at in milliseconds since 1970. */
export function monthOf(at: number): number {
  const date = new Date(at)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

export function startOfMonth(month: number): number {
  // Not Date.UTC, which reads years below 100 as 19xx.
  return new Date(0).setUTCFullYear(0, month, 1)
}

export function toLocalTime(at: number): string {
  return new Date(at).toTimeString().slice(0, 8)
}
