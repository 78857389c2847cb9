import * as z from 'zod/mini'
import { defineCollection, type CollectionDefinition } from '../../../core/store/collection.ts'
import { fixtureTime, storedTime, toFixtureTimestamp } from '../../../core/time/fixture-time.ts'
import { planNames, type PlanName } from '../../../core/accounts/plans.ts'

const plan = z.enum(planNames)
const count = z.int().check(z.nonnegative())
const time = z.iso.datetime()

/** A plan as replies show it. */
export const planSchema = z.object({
  id: plan,
  name: z.string(),
  /** A period's, in US cents. */
  price: z.object({ amount: count, currency: z.literal('USD') }),
  limits: z.object({ requests_per_minute: count, requests_per_day: count, apps: count }),
  features: z.object({ custom_domain: z.boolean(), hide_powered_by: z.boolean() }),
})

/** What changes a subscription. */
export const subscriptionChangesSchema = z.object({ plan })

/** A subscription as replies show it. */
export const subscriptionSchema = z.object({
  plan,
  status: z.enum(['active', 'past_due', 'canceled']),
  /** Whether it ends with the period. */
  cancel_at_period_end: z.boolean(),
  period_start: time,
  period_end: time,
  /** When it was canceled, not when that takes effect. */
  canceled_at: z.nullable(time),
  /** The paid plan that ended. */
  former_plan: z.nullable(plan),
})

/** An account's subscription as the store keeps it: times are in milliseconds since 1970. The plan itself is the account's. */
export const subscriptionRecordSchema = z.strictObject({
  account: z.string(),
  status: z.enum(['active', 'canceling', 'past_due', 'canceled']),
  /** Where its periods are counted from. */
  anchor: storedTime,
  /** The period that it ends with, or ended with, once it is canceled. */
  ending: z.optional(z.strictObject({ start: storedTime, end: storedTime })),
  canceled_at: z.optional(storedTime),
  former_plan: z.optional(plan),
  /** The renewal that was not paid, and how often it was charged since. */
  unpaid: z.optional(z.strictObject({ since: storedTime, attempts: z.number() })),
})

/** An account's subscription as the store keeps it. The plan itself is the account's. */
export interface Subscription {
  /** The account's id, which names the subscription too. */
  account: string
  /** `canceling`: it ends with its period. */
  status: 'active' | 'canceling' | 'past_due' | 'canceled'
  /** Where its periods are counted from, in milliseconds since 1970. */
  anchor: number
  /** The last period of a canceled subscription, in milliseconds since 1970. */
  ending?: { start: number; end: number } | undefined
  /** When the client canceled it, in milliseconds since 1970. It may go on until its period ends. */
  canceled_at?: number | undefined
  /** The paid plan that ended. */
  former_plan?: PlanName | undefined
  /** The unpaid renewal: when it was due, in milliseconds since 1970, and how often it was charged. */
  unpaid?: { since: number; attempts: number } | undefined
}

export const subscriptions: CollectionDefinition<Subscription> = defineCollection({
  name: 'subscriptions',
  schema: subscriptionRecordSchema,
  fixture: {
    /** `period_start` is when a period began: the present one, or one before it. */
    schema: z.strictObject({ account: z.string(), period_start: fixtureTime }),
    toRecord: ({ account, period_start }, now) => ({
      account,
      status: 'active' as const,
      anchor: toFixtureTimestamp(period_start, now),
    }),
  },
  key: (subscription) => subscription.account,
  owner: (subscription) => subscription.account,
})

/** A balance of credits as replies show it. */
export const creditsSchema = z.object({ balance: count, purchased: count, spent: count })

/** What an account has to spend on messages. */
export const creditsRecordSchema = z.strictObject({ account: z.string(), purchased: count, spent: count })

/** What an account has to spend on messages. */
export interface Credits {
  /** The account's id, which names the balance too. */
  account: string
  /** How many credits the account ever got. */
  purchased: number
  /** How many of them are spent. */
  spent: number
}

export const credits: CollectionDefinition<Credits> = defineCollection({
  name: 'credits',
  schema: creditsRecordSchema,
  key: (balance) => balance.account,
  owner: (balance) => balance.account,
  // Messages cost credits, purchases bring them.
  goesWith: ['messages', 'purchases'],
})

export const paymentMethods = ['pm_ok', 'pm_declined', 'pm_fails_later'] as const

const method = z.enum(paymentMethods)
const amount = z.int().check(z.gte(1), z.lte(1_000_000))

/** How a purchase stands. */
export const purchaseStatuses = ['pending', 'succeeded', 'failed'] as const

/** What buys credits. */
export const newPurchaseSchema = z.object({ amount, payment_method: method })

/** A purchase as replies show it. */
export const purchaseSchema = z.object({
  id: z.string(),
  /** How many credits. */
  amount,
  payment_method: method,
  status: z.enum(purchaseStatuses),
  created_at: time,
  settled_at: z.nullable(time),
})

/** How long a purchase in a fixture is pending that does not say when it settles, in milliseconds. */
const usualDelay = 3_000

/** A purchase of credits as the store keeps it. */
export const purchaseRecordSchema = z.strictObject({
  id: z.string(),
  account: z.string(),
  amount,
  payment_method: method,
  status: z.enum(purchaseStatuses),
  created_at: storedTime,
  /** When it settles, as long as it is pending. */
  settles_at: z.optional(storedTime),
  settled_at: z.optional(storedTime),
})

/** A purchase of credits as the store keeps it. */
export interface Purchase {
  /** `pur_` and 16 characters. */
  id: string
  /** The account's id. */
  account: string
  /** How many credits, 1 to 1,000,000. */
  amount: number
  /** Decides how the payment ends. */
  payment_method: (typeof paymentMethods)[number]
  status: (typeof purchaseStatuses)[number]
  /** In milliseconds since 1970. */
  created_at: number
  /** When it will settle, in milliseconds since 1970; only while it is pending. */
  settles_at?: number | undefined
  /** When it settled, in milliseconds since 1970. */
  settled_at?: number | undefined
}

export const purchases: CollectionDefinition<Purchase> = defineCollection({
  name: 'purchases',
  schema: purchaseRecordSchema,
  fixture: {
    schema: z.strictObject({
      id: z.string(),
      account: z.string(),
      amount,
      payment_method: method,
      status: z.enum(['pending', 'succeeded', 'failed']),
      created_at: fixtureTime,
      settles_at: z.optional(fixtureTime),
    }),
    toRecord({ created_at, settles_at, ...purchase }, now) {
      const at = toFixtureTimestamp(created_at, now)
      if (purchase.status !== 'pending') return { ...purchase, created_at: at, settled_at: at }
      return {
        ...purchase,
        created_at: at,
        settles_at: settles_at === undefined ? at + usualDelay : toFixtureTimestamp(settles_at, now),
      }
    },
  },
  key: (purchase) => purchase.id,
  owner: (purchase) => purchase.account,
  goesWith: ['credits'],
})
