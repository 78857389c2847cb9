import * as z from 'zod/mini'
import { declareCollection, type CollectionDefinition } from '../../../../core/store/collection.ts'
import { fixtureTime, storedTime, toFixtureTimestamp } from '../../../../core/time/fixture-time.ts'
import { planNames, type PlanName } from '../../../../core/accounts/plans.ts'

const plan = z.enum(planNames)
const time = z.iso.datetime()

/** The body of `PUT /v1/subscription`. */
export const subscriptionChangesSchema = z.object({ plan })

/** A subscription, as replies and events carry it. */
export const subscriptionSchema = z.object({
  plan,
  status: z.enum(['active', 'past_due', 'canceled']),
  /** Whether the subscription ends with its period. */
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
  amount: z.int().check(z.nonnegative()),
  currency: z.literal('USD'),
  /** The number of this charge, counted from 1 since the renewal. */
  attempt: z.int().check(z.gte(1)),
  /** `null` when there is no further charge. */
  next_attempt_at: z.nullable(time),
})

const subscriptionRecordSchema = z.strictObject({
  account: z.string(),
  status: z.enum(['active', 'canceling', 'past_due', 'canceled']),
  anchor: storedTime,
  ending: z.optional(z.strictObject({ start: storedTime, end: storedTime })),
  canceled_at: z.optional(storedTime),
  former_plan: z.optional(plan),
  unpaid: z.optional(z.strictObject({ since: storedTime, attempts: z.number() })),
})

/** A stored subscription. Its plan is in the account. */
export interface Subscription {
  /** The account's id, also the key of this record. */
  account: string
  /** `canceling`: the subscription ends with its present period. */
  status: 'active' | 'canceling' | 'past_due' | 'canceled'
  /** The start of one of its periods, from which the others are counted, in milliseconds since 1970. */
  anchor: number
  /** The last period of a canceled subscription, in milliseconds since 1970. */
  ending?: { start: number; end: number } | undefined
  /** When the client canceled it, in milliseconds since 1970. It may continue until its period ends. */
  canceled_at?: number | undefined
  /** The paid plan that ended. */
  former_plan?: PlanName | undefined
  /** The unpaid renewal: when it was due, in milliseconds since 1970, and how often it was charged. */
  unpaid?: { since: number; attempts: number } | undefined
}

export const subscriptions: CollectionDefinition<Subscription> = declareCollection({
  name: 'subscriptions',
  schema: subscriptionRecordSchema,
  fixture: {
    /** `period_start` is the start of the present period, or of an earlier one. */
    schema: z.strictObject({ account: z.string(), period_start: fixtureTime }),
    toRecord: ({ account, period_start }, now) => ({
      account,
      status: 'active' as const,
      anchor: toFixtureTimestamp(period_start, now),
    }),
    fromRecord: ({ anchor }) => ({ period_start: anchor }),
  },
  key: (subscription) => subscription.account,
  owner: (subscription) => subscription.account,
})
