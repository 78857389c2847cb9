import * as z from 'zod/mini'
import { declareCollection, type CollectionDefinition } from '../../../../core/store/collection.ts'
import { fixtureTime, storedTime, toFixtureTimestamp } from '../../../../core/time/fixture-time.ts'

const time = z.iso.datetime()

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

/** The purchase, with the balance after it: the data of `credits.purchased`, and of `payment.failed` for a purchase. */
export const settledPurchaseSchema = z.object({ ...purchaseSchema.shape, balance: z.int().check(z.nonnegative()) })

/** The delay of a pending purchase in a fixture without `settles_at`, in milliseconds. */
const defaultDelayMs = 3_000

const purchaseRecordSchema = z.strictObject({
  id: z.string(),
  account: z.string(),
  amount,
  payment_method: method,
  status: z.enum(purchaseStatuses),
  created_at: storedTime,
  settles_at: z.optional(storedTime),
  settled_at: z.optional(storedTime),
})

/** A stored purchase of credits. */
export interface Purchase {
  /** `pur_` and 16 characters. */
  id: string
  /** The account's id. */
  account: string
  /** The number of credits, 1 to 1,000,000. */
  amount: number
  /** Decides the outcome of the payment: `pm_declined` is declined immediately, `pm_fails_later` when the purchase settles. */
  payment_method: (typeof paymentMethods)[number]
  status: (typeof purchaseStatuses)[number]
  /** In milliseconds since 1970. */
  created_at: number
  /** When it will settle, in milliseconds since 1970; only while it is pending. */
  settles_at?: number | undefined
  /** When it settled, in milliseconds since 1970. */
  settled_at?: number | undefined
}

export const purchases: CollectionDefinition<Purchase> = declareCollection({
  name: 'purchases',
  schema: purchaseRecordSchema,
  fixture: {
    schema: z.extend(z.omit(purchaseRecordSchema, { settled_at: true }), {
      created_at: fixtureTime,
      settles_at: z.optional(fixtureTime),
    }),
    toRecord({ created_at, settles_at, ...purchase }, now) {
      const at = toFixtureTimestamp(created_at, now)
      if (purchase.status !== 'pending') return { ...purchase, created_at: at, settled_at: at }
      return {
        ...purchase,
        created_at: at,
        settles_at: settles_at === undefined ? at + defaultDelayMs : toFixtureTimestamp(settles_at, now),
      }
    },
  },
  key: (purchase) => purchase.id,
  owner: (purchase) => purchase.account,
  writtenWith: ['credits'],
})
