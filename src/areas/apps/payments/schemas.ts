import * as z from 'zod/mini'
import { defineCollection } from '../../../core/collection.ts'
import { fixtureTime, toFixtureTimestamp } from '../../../core/fixture-time.ts'
import { planNames } from '../../../core/plans.ts'

/** An account's subscription as the store keeps it: times are in milliseconds since 1970. The plan itself is the account's. */
export const subscriptionRecordSchema = z.strictObject({
  account: z.string(),
  status: z.enum(['active', 'canceling', 'canceled']),
  /** The paid plan that ended, when it was canceled. */
  former_plan: z.optional(z.enum(planNames)),
  period_start: z.number(),
  period_end: z.number(),
  canceled_at: z.optional(z.number()),
  updated_at: z.number(),
})

export type Subscription = z.infer<typeof subscriptionRecordSchema>

export const subscriptions = defineCollection({
  name: 'subscriptions',
  schema: subscriptionRecordSchema,
  fixture: {
    /** The period begins so long ago and is 30 days long. */
    schema: z.strictObject({ account: z.string(), period_start: fixtureTime }),
    toRecord({ account, period_start }, now) {
      const start = toFixtureTimestamp(period_start, now)
      return { account, status: 'active' as const, period_start: start, period_end: start + 30 * 86_400_000, updated_at: start }
    },
  },
  key: (subscription) => subscription.account,
  owner: (subscription) => subscription.account,
})

/** What an account has to spend on messages. */
export const creditsRecordSchema = z.strictObject({ account: z.string(), purchased: z.number(), spent: z.number() })

export type Credits = z.infer<typeof creditsRecordSchema>

export const credits = defineCollection({
  name: 'credits',
  schema: creditsRecordSchema,
  key: (balance) => balance.account,
  owner: (balance) => balance.account,
})

export const paymentMethods = ['pm_ok', 'pm_declined', 'pm_fails_later'] as const

/** A purchase of credits as the store keeps it. */
export const purchaseRecordSchema = z.strictObject({
  id: z.string(),
  account: z.string(),
  /** How many credits. */
  amount: z.number(),
  payment_method: z.enum(paymentMethods),
  status: z.enum(['pending', 'succeeded', 'failed']),
  created_at: z.number(),
  settled_at: z.optional(z.number()),
})

export type Purchase = z.infer<typeof purchaseRecordSchema>

export const purchases = defineCollection({
  name: 'purchases',
  schema: purchaseRecordSchema,
  fixture: {
    schema: z.strictObject({
      id: z.string(),
      account: z.string(),
      amount: z.number(),
      payment_method: z.enum(paymentMethods),
      status: z.enum(['succeeded', 'failed']),
      created_at: fixtureTime,
    }),
    toRecord({ created_at, ...purchase }, now) {
      const at = toFixtureTimestamp(created_at, now)
      return { ...purchase, created_at: at, settled_at: at }
    },
  },
  key: (purchase) => purchase.id,
  owner: (purchase) => purchase.account,
})
