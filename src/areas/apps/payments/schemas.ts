import * as z from 'zod/mini'
import { planNames } from '../../../core/accounts/accounts.ts'
import { type CollectionDefinition, declareCollection } from '../../../core/store/collection.ts'
import { storedTime } from '../../../core/time/fixture-time.ts'
import type { Credits, Purchase, Subscription } from '../../generated/records.ts'

export type { Credits, Purchase, Subscription }

const time = z.iso.datetime()
const count = z.int().check(z.nonnegative())

const paymentMethods = ['pm_ok', 'pm_declined', 'pm_fails_later'] as const

const method = z.enum(paymentMethods)
const amount = z.int().check(z.gte(1), z.lte(1_000_000))

export const purchaseStatuses = ['pending', 'succeeded', 'failed'] as const

/** The body of `POST /v1/credits/purchases`. */
export const newPurchaseSchema = z.object({
  /** The number of credits, from 1 to 1,000,000. */
  amount,
  payment_method: method,
})

/** A purchase of credits, as replies carry it. */
export const purchaseSchema = z.object({
  /** `pur_` and 16 characters. */
  id: z.string(),
  /** The number of credits. */
  amount,
  /** Decides the outcome of the payment. */
  payment_method: method,
  status: z.enum(purchaseStatuses),
  created_at: time,
  /** `null` while the purchase is pending. */
  settled_at: z.nullable(time),
})

/**
 * The purchase, with the balance after it: the data of `credits.purchased`, and of `payment.failed`
 * for a purchase.
 */
export const settledPurchaseSchema = z.object({
  ...purchaseSchema.shape,
  balance: count,
})

/** The delay of a pending purchase in a fixture without `settles_at`, in milliseconds. */
const defaultDelayMs = 3_000

/** A stored purchase of credits. */
const purchaseRecordSchema = z.strictObject({
  id: z.string(),
  account: z.string(),
  /** The number of credits, 1 to 1,000,000. */
  amount,
  /**
   * Decides the outcome of the payment: `pm_declined` is declined immediately, `pm_fails_later`
   * when the purchase settles.
   */
  payment_method: method,
  status: z.enum(purchaseStatuses),
  created_at: storedTime,
  /** When it will settle; only while it is pending. */
  settles_at: z.optional(storedTime),
  /** When it settled. */
  settled_at: z.optional(storedTime),
})

export const purchases: CollectionDefinition<Purchase> = declareCollection({
  name: 'purchases',
  schema: purchaseRecordSchema,
  fixture: {
    derive: ({ status, created_at }) => {
      if (status === 'pending') return { settles_at: created_at + defaultDelayMs }
      return { settled_at: created_at }
    },
  },
  key: (purchase) => purchase.id,
  owner: (purchase) => purchase.account,
  writtenWith: ['credits'],
})

/** A balance of credits, as replies carry it. */
export const creditsSchema = z.object({
  /** `purchased` minus `spent`. */
  balance: count,
  purchased: count,
  spent: count,
})

/** The credits of an account, which it spends on messages. */
const creditsRecordSchema = z.strictObject({
  /** The account's id, also the key of this record. */
  account: z.string(),
  /** All credits that the account ever got. */
  purchased: count,
  /** The credits that the account has spent. */
  spent: count,
})

export const credits: CollectionDefinition<Credits> = declareCollection({
  name: 'credits',
  schema: creditsRecordSchema,
  key: (balance) => balance.account,
  owner: (balance) => balance.account,
  // Messages cost credits, purchases add them.
  writtenWith: ['messages', 'purchases'],
})

/** A plan that an account can subscribe to, as replies carry it. */
export const planSchema = z.object({
  id: z.enum(planNames),
  name: z.string(),
  /** The price of one period, in US cents. */
  price: z.object({
    amount: count,
    currency: z.literal('USD'),
  }),
  limits: z.object({
    requests_per_minute: count,
    requests_per_day: count,
    apps: count,
  }),
  features: z.object({
    custom_domain: z.boolean(),
    hide_powered_by: z.boolean(),
  }),
})

const plan = z.enum(planNames)

/** The body of `PUT /v1/subscription`. */
export const subscriptionChangesSchema = z.object({ plan })

/** A subscription, as replies and events carry it. */
export const subscriptionSchema = z.object({
  plan,
  status: z.enum(['active', 'past_due', 'canceled']),
  /** True if the subscription ends with its period. */
  cancel_at_period_end: z.boolean(),
  period_start: time,
  period_end: time,
  /** When the client canceled. The subscription may continue until its period ends. */
  canceled_at: z.nullable(time),
  /** The paid plan that ended; `null` if none did. */
  former_plan: z.nullable(plan),
})

/** A renewal of a subscription that was not paid. */
export const renewalFailedSchema = z.object({
  subscription: subscriptionSchema,
  /** In US cents. */
  amount: count,
  currency: z.literal('USD'),
  /** The number of this charge, counted from 1 since the renewal. */
  attempt: z.int().check(z.gte(1)),
  /** `null` when there is no further charge. */
  next_attempt_at: z.nullable(time),
})

/** A stored subscription. Its plan is in the account. */
const subscriptionRecordSchema = z.strictObject({
  /** The account's id, also the key of this record. */
  account: z.string(),
  /** `canceling`: the subscription ends with its present period. */
  status: z.enum(['active', 'canceling', 'past_due', 'canceled']),
  /** The start of one of its periods, from which the others are counted. */
  anchor: storedTime,
  /** The last period of a canceled subscription, in milliseconds since 1970. */
  ending: z.optional(
    z.strictObject({
      start: storedTime,
      end: storedTime,
    }),
  ),
  /** When the client canceled it. It may continue until its period ends. */
  canceled_at: z.optional(storedTime),
  /** The paid plan that ended. */
  former_plan: z.optional(plan),
  /**
   * The unpaid renewal: when it was due, in milliseconds since 1970, and how often it was charged.
   */
  unpaid: z.optional(
    z.strictObject({
      since: storedTime,
      attempts: z.number(),
    }),
  ),
})

export const subscriptions: CollectionDefinition<Subscription> = declareCollection({
  name: 'subscriptions',
  schema: subscriptionRecordSchema,
  fixture: {
    /** `period_start` is the start of the present period, or of an earlier one. */
    fields: {
      period_start: z.optional(storedTime),
      anchor: z.optional(storedTime),
      status: z.optional(subscriptionRecordSchema.shape.status),
    },
    derive: ({ period_start }) => ({
      status: 'active',
      anchor: period_start,
    }),
    fromRecord: ({ anchor }) => ({ period_start: anchor }),
    findMistake({ period_start, anchor }) {
      if (period_start !== undefined || anchor !== undefined) return undefined
      return ['period_start', 'is missing: expected a time such as "30d ago"']
    },
  },
  key: (subscription) => subscription.account,
  owner: (subscription) => subscription.account,
})
