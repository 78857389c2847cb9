import * as z from 'zod/mini'
import { fixtureTime, storedTime, toFixtureTimestamp } from '../../../../core/time/fixture-time.ts'

export const attemptSchema = z.strictObject({
  at: storedTime,
  status: z.nullable(z.number()),
  error: z.nullable(z.string()),
  latency: z.number(),
  response: z.nullable(z.string()),
  fault: z.optional(z.enum(['stale-timestamp', 'bad-signature'])),
  sent: z.optional(z.strictObject({ timestamp: z.number(), signature: z.nullable(z.string()) })),
})

/** One attempt to deliver an event. */
export interface Attempt {
  /** When it was scheduled, in milliseconds since 1970. */
  at: number
  /** The status of the receiver's response; `null` when none came. */
  status: number | null
  /** Why no response came, or that the response was a redirect, which is not followed; otherwise `null`. */
  error: string | null
  /** How long the receiver took, in milliseconds of real time. */
  latency: number
  /** The beginning of the receiver's response body. */
  response: string | null
  /** The fault that a scenario added. */
  fault?: 'stale-timestamp' | 'bad-signature' | undefined
  /** The headers that were sent: `webhook-timestamp`, in seconds since 1970, and `webhook-signature`, or `null` without one. Absent when no request was made. */
  sent?: { timestamp: number; signature: string | null } | undefined
}

/** Whether the receiver accepted the event. */
export function hasAccepted({ status }: Pick<Attempt, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300
}

/** One attempt to deliver an event, as replies carry it. */
export const shownAttemptSchema = z.object({
  at: z.iso.datetime(),
  /** The status of the receiver's response; `null` when none came. */
  status: z.nullable(z.int()),
  /** Why no response came. */
  error: z.nullable(z.string()),
  /** How long the receiver took, in milliseconds of real time. */
  latency_ms: z.number(),
  /** The beginning of the receiver's response body. */
  response: z.nullable(z.string()),
})

export const attemptFixtureSchema = z.strictObject({
  at: fixtureTime,
  status: z.optional(z.nullable(z.int())),
  error: z.optional(z.nullable(z.string())),
  latency: z.optional(z.number()),
  response: z.optional(z.nullable(z.string())),
})

/** Converts an attempt of a fixture. @param now when the service starts, in milliseconds since 1970. */
export function toAttempt(
  { at, status = null, error = null, latency = 0, response = null }: z.infer<typeof attemptFixtureSchema>,
  now: number,
): Attempt {
  return { at: toFixtureTimestamp(at, now), status, error, latency, response }
}
