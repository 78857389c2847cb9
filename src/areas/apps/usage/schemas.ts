import * as z from 'zod/mini'

const count = z.int().check(z.nonnegative())

/** The usage in a period. */
const figures = {
  messages: count,
  conversations: count,
  active_users: count,
  credits: count,
}

export const intervals = ['hour', 'day', 'month'] as const

export type Interval = (typeof intervals)[number]

/** Usage in total and by bucket, empty buckets included. */
const usage = {
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  interval: z.enum(intervals),
  totals: z.object(figures),
  buckets: z.array(z.object({ start: z.iso.datetime(), ...figures })),
}

/** An app's usage. */
export const usageSchema = z.object({ app_id: z.string(), ...usage })

/** The usage of all apps of an account together, and of each app if requested. */
export const accountUsageSchema = z.object({
  ...usage,
  apps: z.optional(z.array(z.object({ app_id: z.string(), ...figures }))),
})
