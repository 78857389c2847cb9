import * as z from 'zod/mini'

const count = z.int().check(z.nonnegative())

/** The usage in a period. */
export const usageFiguresSchema = z.object({
  messages: count,
  conversations: count,
  active_users: count,
  credits: count,
})

const figures = usageFiguresSchema.shape

export const intervals = ['hour', 'day', 'month'] as const

export type Interval = (typeof intervals)[number]

/** Usage in total, and bucket by bucket. Empty buckets are included. */
export const usagePeriodSchema = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  interval: z.enum(intervals),
  totals: usageFiguresSchema,
  buckets: z.array(
    z.object({
      start: z.iso.datetime(),
      ...figures,
    }),
  ),
})

/** The usage of an app. */
export const usageSchema = z.object({
  app_id: z.string(),
  ...usagePeriodSchema.shape,
})

/** The usage of all apps of an account together, and of each app when the request asks for it. */
export const accountUsageSchema = z.object({
  ...usagePeriodSchema.shape,
  apps: z.optional(
    z.array(
      z.object({
        app_id: z.string(),
        ...figures,
      }),
    ),
  ),
})
